package dev.mayfly.query.geo;

import dev.mayfly.query.geo.GeometryException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Optional;

/**
 * Location in a document: a GeoJSON geometry, or a legacy coordinate pair, the first two numbers of
 * an array or object regardless of names.
 *
 * <p>A pair is a point of the plane; it is also one of the sphere if it is a valid longitude and
 * latitude.
 */
public final class Location {
  private final Optional<Geometry> geometry;
  private final Optional<PlanePoint> point;

  private Location(Optional<Geometry> geometry, Optional<PlanePoint> point) {
    this.geometry = geometry;
    this.point = point;
  }

  /** Returns the location of a value; empty if it is not one. */
  public static Optional<Location> find(Value value) {
    return find(value, Winding.SMALLER);
  }

  /** Returns the location of a value with this interpretation of rings; empty if it is not one. */
  public static Optional<Location> find(Value value, Winding winding) {
    if (!value.isArray() && !value.isDocument()) {
      return Optional.empty();
    }
    try {
      return Optional.of(of(value, winding));
    } catch (GeometryException _) {
      return Optional.empty();
    }
  }

  /**
   * Parses the location of a value.
   *
   * @throws GeometryException if it is not one
   */
  public static Location of(Value value) {
    return of(value, Winding.SMALLER);
  }

  private static Location of(Value value, Winding winding) {
    if (isGeoJson(value)) {
      Geometry geometry = Geometry.of(value, winding);
      boolean single = geometry.kind() == Geometry.Kind.POINT;
      return new Location(
          Optional.of(geometry),
          single ? Optional.of(pair(value.asDocument().field("coordinates"))) : Optional.empty());
    }
    PlanePoint pair = pair(value);
    return new Location(pair.onSphere(), Optional.of(pair));
  }

  /**
   * Parses a value as a geometry on the sphere.
   *
   * @throws GeometryException if it is not one
   */
  public static Geometry onSphere(Value value) {
    if (isGeoJson(value)) {
      return Geometry.of(value, Winding.SMALLER);
    }
    PlanePoint pair = pair(value);
    return Geometry.point(pair.x(), pair.y());
  }

  /** Returns the geometry on the sphere, if it is one. */
  public Optional<Geometry> geometry() {
    return geometry;
  }

  /** Returns the point of the plane, if it is one. */
  Optional<PlanePoint> point() {
    return point;
  }

  /** Returns the distance from a point of the plane, if it is in the plane itself. */
  public Optional<Double> distanceFrom(double x, double y) {
    return point.map(mine -> mine.distanceTo(new PlanePoint(x, y)));
  }

  private static boolean isGeoJson(Value value) {
    if (!value.isDocument()) {
      return false;
    }
    Document object = value.asDocument();
    return object.field("type").type() == Type.STRING
        && (object.field("coordinates").isArray() || object.field("geometries").isArray());
  }

  /**
   * Parses the first two numbers of a value.
   *
   * @throws GeometryException if it does not begin with two numbers
   */
  static PlanePoint pair(Value value) {
    if (!value.isArray() && !value.isDocument()) {
      throw new GeometryException(Reason.MALFORMED, "geo element must be an array or object");
    }
    Fields each = value.asDocument().fields();
    double x = coordinate(each);
    double y = coordinate(each);
    return new PlanePoint(x, y);
  }

  private static double coordinate(Fields each) {
    if (!each.next() || !each.value().isNumber() || !each.value().isFinite()) {
      throw new GeometryException(Reason.MALFORMED, "Point must only contain numeric elements");
    }
    return each.value().asDouble();
  }
}
