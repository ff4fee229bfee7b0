package dev.mayfly.query.geo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Regions: matching locations, and that their cells cover them. */
@ExtendWith(SeedExtension.class)
final class RegionTest {
  private static final int REGIONS = 60;
  private static final int PLACES = 150;

  @Test
  void aBoxHoldsThePointsBetweenItsCorners() {
    Region box = Region.box(10, 10, 0, 0);
    assertThat(box.holds(pair(0, 0))).isTrue();
    assertThat(box.holds(pair(10, 10))).isTrue();
    assertThat(box.holds(pair(10.1, 5))).isFalse();
    assertThat(Region.box(0, 0, 1000, 1000).holds(pair(500, 500))).isTrue();
  }

  @Test
  void aDiscHoldsThePointsAroundItsCenter() {
    assertThat(Region.disc(0, 0, 5).holds(pair(3, 4))).isTrue();
    assertThat(Region.disc(0, 0, 5).holds(pair(3, 4.1))).isFalse();
    assertThat(Region.annulus(0, 0, 2, 5).holds(pair(1, 1))).isFalse();
  }

  @Test
  void aPolygonOfThePlaneHoldsWhatIsInsideAndItsBorder() {
    Region triangle = Region.polygon(List.of(0.0, 0.0, 3.0, 6.0, 6.0, 0.0));
    assertThat(triangle.holds(pair(3, 3))).isTrue();
    assertThat(triangle.holds(pair(3, 0))).isTrue();
    assertThat(triangle.holds(pair(0, 0))).isTrue();
    assertThat(triangle.holds(pair(0, 3))).isFalse();
    assertThat(triangle.holds(pair(3, -1))).isFalse();
  }

  @Test
  void placesOfThePlaneAreNumbersInArraysObjectsAndPointsOfGeoJson() {
    Region box = Region.box(0, 0, 10, 10);
    assertThat(box.holds(value("{\"x\":1,\"y\":2}"))).isTrue();
    assertThat(box.holds(value("{\"type\":\"Point\",\"coordinates\":[1,2]}"))).isTrue();
    assertThat(box.holds(value("{\"x\":1,\"y\":2,\"name\":\"z\"}"))).isTrue();
    assertThat(box.holds(value("[1]"))).isFalse();
    assertThat(box.holds(value("[\"a\",\"b\"]"))).isFalse();
    assertThat(box.holds(Value.of(5))).isFalse();
    assertThat(box.holds(value("{\"type\":\"LineString\",\"coordinates\":[[1,2],[2,3]]}")))
        .isFalse();
  }

  @Test
  void aCapHoldsWhatLiesInItWithAllItsVertices() {
    Region cap = Region.cap(0, 0, Math.toRadians(5));
    assertThat(cap.holds(pair(4.9, 0))).isTrue();
    assertThat(cap.holds(pair(5.1, 0))).isFalse();
    assertThat(cap.holds(value("{\"type\":\"LineString\",\"coordinates\":[[0,0],[6,0]]}")))
        .isFalse();
  }

  @Test
  void aRegionIsWhatItsFormSays() {
    Region ring = Region.ring(1, 2, 0.1, 0.2);
    assertThat(Region.of(ring.form())).isEqualTo(ring).hasSameHashCodeAs(ring);
    assertThat(ring).isNotEqualTo(Region.ring(1, 2, 0.1, 0.3));
    assertThatThrownBy(() -> Region.of(Document.EMPTY)).isInstanceOf(GeometryException.class);
  }

  @Test
  void thePlaneHasNoCells() {
    assertThat(Region.box(0, 0, 1, 1).cells()).isEmpty();
    assertThat(Region.cap(0, 0, 0.1).cells()).isPresent();
  }

  @Test
  void whatARegionHoldsHasACellInItsRanges(Random random) {
    List<Value> places = new ArrayList<>();
    for (int i = 0; i < PLACES; i++) {
      places.add(RandomGeometry.any(random));
    }
    int held = 0;
    for (int i = 0; i < REGIONS; i++) {
      Region region = RandomGeometry.region(random);
      List<CellRange> ranges = region.cells().orElseThrow();
      assertThat(ranges).hasSizeLessThanOrEqualTo(200);
      for (Value place : places) {
        if (region.holds(place)) {
          held++;
          assertThat(Location.onSphere(place).cells())
              .as("%s in %s", place, region)
              .anyMatch(cell -> ranges.stream().anyMatch(r -> r.from() <= cell && cell <= r.to()));
        }
      }
    }
    assertThat(held).isPositive();
  }

  private static Value pair(double x, double y) {
    return Value.array(List.of(Value.of(x), Value.of(y)));
  }

  private static Value value(String json) {
    return ExtendedJson.parseValue(json, Limits.MONGO);
  }
}
