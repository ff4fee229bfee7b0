package dev.mayfly.query.geo;

import com.google.common.geometry.S2Error;
import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;
import dev.mayfly.query.geo.Geometry.Kind;
import dev.mayfly.query.geo.GeometryException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Parser of GeoJSON objects, with an explanation for invalid ones. */
final class GeoJson {
  private static final double MAX_LONGITUDE = 180;
  private static final double MAX_LATITUDE = 90;

  /** Maximum nesting of geometry collections. */
  private static final int MOST_NESTED = 32;

  private final Winding winding;

  GeoJson(Winding winding) {
    this.winding = winding;
  }

  Geometry geometry(Value value) {
    return geometry(value, 0);
  }

  private Geometry geometry(Value value, int depth) {
    require(value.isDocument(), "GeoJSON must be an object");
    Document object = value.asDocument();
    Kind kind = kind(object.field("type"));
    if (kind == Kind.GEOMETRY_COLLECTION) {
      return new Geometry(kind, collection(object, depth));
    }
    Value coordinates = object.field("coordinates");
    List<? extends GeometryPart> pieces =
        switch (kind) {
          case POINT -> List.of(point(coordinates));
          case MULTI_POINT -> list(coordinates, kind, GeoJson::point);
          case LINE_STRING -> List.of(line(coordinates));
          case MULTI_LINE_STRING -> list(coordinates, kind, GeoJson::line);
          case POLYGON -> List.of(area(coordinates));
          case MULTI_POLYGON -> list(coordinates, kind, this::area);
          case GEOMETRY_COLLECTION -> throw new IllegalStateException("read above");
        };
    return new Geometry(kind, pieces);
  }

  static Kind kind(Value type) {
    require(type.type() == Type.STRING, "GeoJSON type must be a string");
    for (Kind kind : Kind.values()) {
      if (kind.type().equals(type.asString())) {
        return kind;
      }
    }
    throw malformed("unknown GeoJSON type: " + type.asString());
  }

  private List<GeometryPart> collection(Document object, int depth) {
    List<GeometryPart> pieces = new ArrayList<>();
    Fields each = members(object, depth);
    while (each.next()) {
      pieces.addAll(geometry(each.value(), depth + 1).pieces());
    }
    requireMembers(pieces);
    return pieces;
  }

  /** Returns the members of a collection at this depth of nesting. */
  static Fields members(Document collection, int depth) {
    require(depth < MOST_NESTED, "GeometryCollection is nested too deep");
    Value geometries = collection.field("geometries");
    require(geometries.isArray(), "GeometryCollection geometries must be an array");
    return geometries.asDocument().fields();
  }

  static void requireMembers(List<?> pieces) {
    require(!pieces.isEmpty(), "GeometryCollection geometries must have at least 1 element");
  }

  static <T> List<T> list(Value array, Kind kind, Function<Value, T> element) {
    require(array.isArray(), kind.type() + " coordinates must be an array");
    List<T> elements = new ArrayList<>();
    Fields each = array.asDocument().fields();
    while (each.next()) {
      elements.add(element.apply(each.value()));
    }
    require(!elements.isEmpty(), kind.type() + " coordinates must have at least 1 element");
    return elements;
  }

  private static PointPart point(Value coordinates) {
    require(coordinates.isArray(), "Point must be an array or object");
    Fields each = coordinates.asDocument().fields();
    double longitude = number(each);
    double latitude = number(each);
    return point(longitude, latitude);
  }

  private static double number(Fields coordinates) {
    boolean number = coordinates.next() && coordinates.value().isNumber();
    require(number, "Point must only contain numeric elements");
    return coordinates.value().asDouble();
  }

  static PointPart point(double longitude, double latitude) {
    String where = "longitude/latitude is out of bounds, lng: " + longitude + " lat: " + latitude;
    if (!(Math.abs(longitude) <= MAX_LONGITUDE)) {
      throw new GeometryException(Reason.LONGITUDE, where);
    }
    if (!(Math.abs(latitude) <= MAX_LATITUDE)) {
      throw new GeometryException(Reason.LATITUDE, where);
    }
    return new PointPart(S2LatLng.fromDegrees(latitude, longitude).toPoint());
  }

  private static LinePart line(Value coordinates) {
    List<S2Point> vertices = vertices(coordinates, Kind.LINE_STRING);
    require(
        vertices.size() > 1, "GeoJSON LineString must have at least 2 vertices: " + coordinates);
    requireNoAntipodes(vertices, coordinates);
    return new LinePart(new S2Polyline(vertices));
  }

  /** Antipodal points have no unique shortest path. */
  private static void requireNoAntipodes(List<S2Point> vertices, Value coordinates) {
    for (int i = 1; i < vertices.size(); i++) {
      if (vertices.get(i).angle(vertices.get(i - 1)) > Math.PI - Shape.MARGIN) {
        throw new GeometryException(Reason.RING, "adjacent vertices are antipodal: " + coordinates);
      }
    }
  }

  /** Returns the points, without consecutive duplicates. */
  private static List<S2Point> vertices(Value coordinates, Kind kind) {
    List<S2Point> vertices = new ArrayList<>();
    for (PointPart point : list(coordinates, kind, GeoJson::point)) {
      if (vertices.isEmpty() || !vertices.getLast().equalsPoint(point.point())) {
        vertices.add(point.point());
      }
    }
    return vertices;
  }

  private AreaPart area(Value coordinates) {
    List<S2Loop> rings = list(coordinates, Kind.POLYGON, this::ring);
    S2Loop first = rings.getFirst();
    S2Polygon polygon = new S2Polygon();
    switch (winding) {
      case SMALLER -> {
        requireHoles(first, rings.subList(1, rings.size()), coordinates);
        polygon.initNested(rings);
      }
      case LEFT -> polygon.initOriented(rings);
    }
    S2Error error = new S2Error();
    if (polygon.findValidationError(error)) {
      throw new GeometryException(
          Reason.RING, "Polygon isn't valid: " + error.text() + " " + coordinates);
    }
    return new AreaPart(polygon);
  }

  private S2Loop ring(Value coordinates) {
    List<S2Point> vertices = vertices(coordinates, Kind.POLYGON);
    if (!vertices.getFirst().equalsPoint(vertices.getLast()) || vertices.size() == 1) {
      throw new GeometryException(Reason.RING, "Loop is not closed: " + coordinates);
    }
    vertices.removeLast();
    if (vertices.size() < 3) {
      throw new GeometryException(
          Reason.RING, "Loop must have at least 3 different vertices: " + coordinates);
    }
    S2Loop ring = new S2Loop(vertices);
    S2Error error = new S2Error();
    if (ring.findValidationError(error)) {
      throw new GeometryException(
          Reason.RING, "Loop is not valid: " + coordinates + " " + error.text());
    }
    if (winding == Winding.SMALLER) {
      ring.normalize();
    }
    return ring;
  }

  private static void requireHoles(S2Loop outer, List<S2Loop> holes, Value coordinates) {
    for (S2Loop hole : holes) {
      if (!outer.contains(hole)) {
        throw new GeometryException(
            Reason.RING,
            "Secondary loops not contained by first exterior loop - secondary loops must be holes: "
                + coordinates);
      }
    }
  }

  static void require(boolean holds, String message) {
    if (!holds) {
      throw malformed(message);
    }
  }

  private static GeometryException malformed(String message) {
    return new GeometryException(Reason.MALFORMED, message);
  }
}
