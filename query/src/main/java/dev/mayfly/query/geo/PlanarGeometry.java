package dev.mayfly.query.geo;

import dev.mayfly.query.geo.Geometry.Kind;
import dev.mayfly.query.geo.GeometryException.Reason;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.locationtech.jts.algorithm.locate.SimplePointInAreaLocator;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.operation.distance.IndexedFacetDistance;
import org.locationtech.jts.operation.relateng.RelateNG;
import org.locationtech.jts.operation.relateng.RelatePredicate;
import org.locationtech.jts.operation.valid.IsValidOp;
import org.locationtech.jts.operation.valid.TopologyValidationError;

/**
 * GeoJSON geometry in the plane: coordinates are any numbers, edges are straight, and the winding
 * of rings does not matter. Distances and areas are in units of the coordinates.
 */
public final class PlanarGeometry {
  private static final GeometryFactory SHAPES = new GeometryFactory();

  /** Three vertices, and the first again. */
  private static final int LEAST_RING = 4;

  /** Points, lines and polygons; valid, and not empty. */
  private final List<org.locationtech.jts.geom.Geometry> pieces;

  private PlanarGeometry(List<org.locationtech.jts.geom.Geometry> pieces) {
    this.pieces = List.copyOf(pieces);
  }

  /**
   * Parses a GeoJSON object.
   *
   * @throws GeometryException if it is invalid
   */
  public static PlanarGeometry of(Value geoJson) {
    List<org.locationtech.jts.geom.Geometry> pieces = new ArrayList<>();
    read(geoJson, 0, pieces);
    return new PlanarGeometry(pieces);
  }

  private static void read(
      Value value, int depth, List<org.locationtech.jts.geom.Geometry> pieces) {
    GeoJson.require(value.isDocument(), "GeoJSON must be an object");
    Document object = value.asDocument();
    Kind kind = GeoJson.kind(object.field("type"));
    Value coordinates = object.field("coordinates");
    switch (kind) {
      case POINT -> pieces.add(point(coordinates));
      case MULTI_POINT -> pieces.addAll(GeoJson.list(coordinates, kind, PlanarGeometry::point));
      case LINE_STRING -> pieces.add(line(coordinates));
      case MULTI_LINE_STRING ->
          pieces.addAll(GeoJson.list(coordinates, kind, PlanarGeometry::line));
      case POLYGON -> pieces.add(area(coordinates));
      case MULTI_POLYGON -> pieces.addAll(GeoJson.list(coordinates, kind, PlanarGeometry::area));
      case GEOMETRY_COLLECTION -> {
        Fields members = GeoJson.members(object, depth);
        while (members.next()) {
          read(members.value(), depth + 1, pieces);
        }
        GeoJson.requireMembers(pieces);
      }
    }
  }

  private static org.locationtech.jts.geom.Geometry point(Value coordinates) {
    return SHAPES.createPoint(coordinate(coordinates));
  }

  private static Coordinate coordinate(Value coordinates) {
    PlanePoint point = Location.pair(coordinates);
    return new Coordinate(point.x(), point.y());
  }

  private static org.locationtech.jts.geom.Geometry line(Value coordinates) {
    Coordinate[] vertices = vertices(coordinates, Kind.LINE_STRING);
    GeoJson.require(vertices.length > 1, "GeoJSON LineString must have at least 2 vertices");
    return valid(SHAPES.createLineString(vertices));
  }

  private static Coordinate[] vertices(Value coordinates, Kind kind) {
    return GeoJson.list(coordinates, kind, PlanarGeometry::coordinate).toArray(Coordinate[]::new);
  }

  private static org.locationtech.jts.geom.Geometry area(Value coordinates) {
    List<LinearRing> rings = GeoJson.list(coordinates, Kind.POLYGON, PlanarGeometry::ring);
    LinearRing[] holes = rings.subList(1, rings.size()).toArray(LinearRing[]::new);
    return valid(SHAPES.createPolygon(rings.getFirst(), holes));
  }

  private static LinearRing ring(Value coordinates) {
    Coordinate[] vertices = vertices(coordinates, Kind.POLYGON);
    boolean closed = vertices[0].equals2D(vertices[vertices.length - 1]);
    if (!closed || vertices.length < LEAST_RING) {
      throw new GeometryException(
          Reason.RING, "A ring must be closed and have at least 3 different vertices");
    }
    return SHAPES.createLinearRing(vertices);
  }

  private static org.locationtech.jts.geom.Geometry valid(
      org.locationtech.jts.geom.Geometry geometry) {
    TopologyValidationError error = new IsValidOp(geometry).getValidationError();
    if (error != null) {
      throw new GeometryException(Reason.RING, error.getMessage());
    }
    return geometry;
  }

  /** Returns whether each part of the other is inside a part of this, including its border. */
  public boolean contains(PlanarGeometry other) {
    for (org.locationtech.jts.geom.Geometry inner : other.pieces) {
      if (pieces.stream().noneMatch(outer -> contains(outer, inner))) {
        return false;
      }
    }
    return true;
  }

  /** A point contains itself, a line its points and itself. */
  private static boolean contains(
      org.locationtech.jts.geom.Geometry outer, org.locationtech.jts.geom.Geometry inner) {
    if (inner instanceof Point) {
      return meet(outer, inner);
    }
    if (!(outer instanceof Polygon)) {
      return outer.equalsExact(inner);
    }
    return inner instanceof LineString line
        ? containsLine(outer, line)
        : RelateNG.relate(outer, inner, RelatePredicate.covers());
  }

  /** Edge by edge: self-intersections of a line do not matter, and there may be millions. */
  private static boolean containsLine(org.locationtech.jts.geom.Geometry area, LineString line) {
    RelateNG relation = RelateNG.prepare(area);
    Interrupt interrupt = Interrupt.current();
    boolean inside = true;
    for (int i = 1; inside && i < line.getNumPoints(); i++) {
      interrupt.step();
      Coordinate[] ends = {line.getCoordinateN(i - 1), line.getCoordinateN(i)};
      inside = relation.evaluate(SHAPES.createLineString(ends), RelatePredicate.covers());
    }
    return inside;
  }

  /** Returns whether the two share a point. */
  public boolean intersects(PlanarGeometry other) {
    return pieces.stream()
        .anyMatch(mine -> other.pieces.stream().anyMatch(theirs -> meet(mine, theirs)));
  }

  /** Returns whether their borders intersect, or one is inside the other. */
  private static boolean meet(
      org.locationtech.jts.geom.Geometry one, org.locationtech.jts.geom.Geometry other) {
    return isInside(one, other)
        || isInside(other, one)
        || IndexedFacetDistance.distance(one, other) == 0;
  }

  private static boolean isInside(
      org.locationtech.jts.geom.Geometry inner, org.locationtech.jts.geom.Geometry outer) {
    return outer instanceof Polygon area
        && SimplePointInAreaLocator.containsPointInPolygon(inner.getCoordinate(), area);
  }

  /** Returns the shortest distance between the two. */
  public double distanceTo(PlanarGeometry other) {
    double least = Double.POSITIVE_INFINITY;
    for (org.locationtech.jts.geom.Geometry mine : pieces) {
      for (org.locationtech.jts.geom.Geometry theirs : other.pieces) {
        boolean apart = !isInside(mine, theirs) && !isInside(theirs, mine);
        double distance = apart ? IndexedFacetDistance.distance(mine, theirs) : 0;
        least = Math.min(least, distance);
      }
    }
    return least;
  }

  /** Returns the area of all polygons. */
  public double area() {
    return pieces.stream().mapToDouble(org.locationtech.jts.geom.Geometry::getArea).sum();
  }
}
