package dev.mayfly.query.geo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.mayfly.query.geo.GeometryException.Reason;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import org.junit.jupiter.api.Test;

/** What GeoJSON means, and what is no GeoJSON. */
final class GeometryTest {
  private static final double DEGREE = Math.toRadians(1);

  private static final Geometry SQUARE =
      geometry("{type:'Polygon',coordinates:[[[0,0],[0,10],[10,10],[10,0],[0,0]]]}");

  private static final Geometry FRAME =
      geometry(
          "{type:'Polygon',coordinates:[[[0,0],[10,0],[10,10],[0,10],[0,0]],"
              + "[[4,4],[6,4],[6,6],[4,6],[4,4]]]}");

  @Test
  void aRingMeansItsSmallerSideWhicheverWayItIsWritten() {
    assertThat(SQUARE.contains(Geometry.point(5, 5))).isTrue();
    assertThat(SQUARE.contains(Geometry.point(15, 5))).isFalse();
    assertThat(SQUARE.squareMetres()).isLessThan(1.3e12);
  }

  @Test
  void aRingWrittenClockwiseMeansAllAroundItWhereTheLeftSideCounts() {
    Value clockwise = value("{type:'Polygon',coordinates:[[[0,0],[0,10],[10,10],[10,0],[0,0]]]}");
    Geometry around = Geometry.of(clockwise, Winding.LEFT);

    assertThat(around.contains(Geometry.point(5, 5))).isFalse();
    assertThat(around.contains(Geometry.point(15, 5))).isTrue();
  }

  @Test
  void whatIsInAHoleIsNotInTheArea() {
    assertThat(FRAME.contains(Geometry.point(5, 5))).isFalse();
    assertThat(FRAME.contains(Geometry.point(2, 5))).isTrue();
    assertThat(FRAME.intersects(geometry("{type:'LineString',coordinates:[[4.5,5],[5.5,5]]}")))
        .isFalse();
  }

  @Test
  void cornersAndBordersBelongToAnArea() {
    assertThat(SQUARE.contains(Geometry.point(0, 0))).isTrue();
    assertThat(SQUARE.contains(Geometry.point(10, 10))).isTrue();
    assertThat(SQUARE.contains(Geometry.point(0, 5))).isTrue();
    assertThat(SQUARE.intersects(Geometry.point(5, 0))).isTrue();
  }

  @Test
  void aLineLiesInAnAreaOnlyWithAllOfIt() {
    assertThat(SQUARE.contains(geometry("{type:'LineString',coordinates:[[1,1],[9,9]]}"))).isTrue();
    Geometry leaving = geometry("{type:'LineString',coordinates:[[1,1],[19,9]]}");
    assertThat(SQUARE.contains(leaving)).isFalse();
    assertThat(SQUARE.intersects(leaving)).isTrue();
    assertThat(leaving.intersects(SQUARE)).isTrue();
  }

  @Test
  void linesThatCrossIntersect() {
    Geometry line = geometry("{type:'LineString',coordinates:[[0,0],[10,10]]}");
    assertThat(line.intersects(geometry("{type:'LineString',coordinates:[[0,10],[10,0]]}")))
        .isTrue();
    assertThat(line.intersects(geometry("{type:'LineString',coordinates:[[20,10],[10,0]]}")))
        .isFalse();
    assertThat(line.intersects(Geometry.point(0, 0))).isTrue();
  }

  @Test
  void areasAreInEachOtherOrOverlap() {
    Geometry inner = geometry("{type:'Polygon',coordinates:[[[1,1],[2,1],[2,2],[1,2],[1,1]]]}");
    Geometry across =
        geometry("{type:'Polygon',coordinates:[[[9,9],[12,9],[12,12],[9,12],[9,9]]]}");
    assertThat(SQUARE.contains(inner)).isTrue();
    assertThat(inner.contains(SQUARE)).isFalse();
    assertThat(SQUARE.contains(across)).isFalse();
    assertThat(SQUARE.intersects(across)).isTrue();
    assertThat(inner.intersects(across)).isFalse();
  }

  @Test
  void allPiecesHaveToLieInsideButOneIsEnoughToTouch() {
    Geometry points = geometry("{type:'MultiPoint',coordinates:[[5,5],[15,15]]}");
    Geometry both =
        geometry(
            "{type:'MultiPolygon',coordinates:[[[[0,0],[10,0],[10,10],[0,10],[0,0]]],"
                + "[[[14,14],[16,14],[16,16],[14,16],[14,14]]]]}");
    assertThat(SQUARE.contains(points)).isFalse();
    assertThat(SQUARE.intersects(points)).isTrue();
    assertThat(both.contains(points)).isTrue();
    Geometry collection =
        geometry(
            "{type:'GeometryCollection',geometries:[{type:'Point',coordinates:[30,30]},"
                + "{type:'LineString',coordinates:[[-1,5],[1,5]]}]}");
    assertThat(SQUARE.intersects(collection)).isTrue();
    assertThat(SQUARE.contains(collection)).isFalse();
  }

  @Test
  void distancesAreThoseOfTheNearestPoints() {
    Geometry origin = Geometry.point(0, 0);
    assertThat(origin.radiansTo(Geometry.point(0, 1))).isCloseTo(DEGREE, within(1e-12));
    assertThat(origin.radiansTo(Geometry.point(179, 0))).isCloseTo(179 * DEGREE, within(1e-9));
    Geometry line = geometry("{type:'LineString',coordinates:[[-5,2],[5,2]]}");
    assertThat(origin.radiansTo(line)).isLessThan(2.01 * DEGREE).isGreaterThan(1.99 * DEGREE);
    assertThat(SQUARE.radiansTo(Geometry.point(5, 5))).isZero();
    assertThat(SQUARE.radiansTo(Geometry.point(-3, 0))).isCloseTo(3 * DEGREE, within(1e-9));
    assertThat(SQUARE.radiansTo(line)).isZero();
    Geometry far = geometry("{type:'LineString',coordinates:[[-5,12],[5,12]]}");
    assertThat(SQUARE.radiansTo(far)).isCloseTo(far.radiansTo(SQUARE), within(1e-12)).isPositive();
  }

  @Test
  void whatIsNoGeometryIsRefusedForAReason() {
    refused("{coordinates:[1,2]}", Reason.MALFORMED, "GeoJSON type must be a string");
    refused("{type:'Circle',coordinates:[1,2]}", Reason.MALFORMED, "unknown GeoJSON type: Circle");
    refused("{type:'Point',coordinates:['a',2]}", Reason.MALFORMED, "only contain numeric");
    refused("{type:'Point',coordinates:[1]}", Reason.MALFORMED, "only contain numeric");
    refused("{type:'Point',coordinates:[181,2]}", Reason.LONGITUDE, "lng: 181.0 lat: 2.0");
    refused("{type:'Point',coordinates:[1,91]}", Reason.LATITUDE, "lng: 1.0 lat: 91.0");
    refused("{type:'Point',coordinates:[{$numberDouble:'NaN'},1]}", Reason.LONGITUDE, "NaN");
    refused("{type:'LineString',coordinates:[[1,1]]}", Reason.MALFORMED, "at least 2 vertices");
    refused("{type:'LineString',coordinates:[[1,1],[1,1]]}", Reason.MALFORMED, "at least 2");
    refused("{type:'LineString',coordinates:[[0,0],[180,0]]}", Reason.RING, "antipodal");
    refused("{type:'Polygon',coordinates:[]}", Reason.MALFORMED, "at least 1 element");
    refused("{type:'Polygon',coordinates:[[[0,0],[1,0],[1,1]]]}", Reason.RING, "not closed");
    refused("{type:'Polygon',coordinates:[[[0,0]]]}", Reason.RING, "not closed");
    refused(
        "{type:'Polygon',coordinates:[[[0,0],[1,0],[0,0]]]}", Reason.RING, "3 different vertices");
    refused(
        "{type:'Polygon',coordinates:[[[0,0],[10,10],[10,0],[0,10],[0,0]]]}",
        Reason.RING,
        "Loop is not valid");
    refused(
        "{type:'Polygon',coordinates:[[[0,0],[1,0],[1,1],[0,0]],[[5,5],[6,5],[6,6],[5,5]]]}",
        Reason.RING,
        "secondary loops must be holes");
    refused("{type:'GeometryCollection',geometries:[]}", Reason.MALFORMED, "at least 1 element");
  }

  private static void refused(String json, Reason reason, String part) {
    assertThatThrownBy(() -> geometry(json))
        .as(json)
        .isInstanceOfSatisfying(
            GeometryException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageContaining(part);
  }

  private static Geometry geometry(String json) {
    return Geometry.of(value(json), Winding.SMALLER);
  }

  private static Value value(String json) {
    String quoted = json.replaceAll("([{,])(\\$?[a-zA-Z]+):", "$1\"$2\":").replace('\'', '"');
    return ExtendedJson.parseValue(quoted, Limits.MONGO);
  }
}
