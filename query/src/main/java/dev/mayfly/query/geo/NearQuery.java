package dev.mayfly.query.geo;

import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Optional;

/**
 * Order of documents by distance from a point, with bounds of the distance.
 *
 * <p>Distances are in radians on the sphere, and in units of the coordinates on the plane.
 */
public final class NearQuery {
  private final double x;
  private final double y;
  private final double from;
  private final double to;
  private final Optional<Geometry> center;

  private NearQuery(double x, double y, double from, double to, Optional<Geometry> center) {
    this.x = x;
    this.y = y;
    this.from = from;
    this.to = to;
    this.center = center;
  }

  /**
   * Returns a query near a point of the sphere.
   *
   * @throws GeometryException if longitude or latitude are out of range
   */
  public static NearQuery onSphere(double longitude, double latitude, double from, double to) {
    return new NearQuery(
        longitude,
        latitude,
        from,
        Math.min(to, Math.PI),
        Optional.of(Geometry.point(longitude, latitude)));
  }

  /** Returns a query near a point of the plane. */
  public static NearQuery onPlane(double x, double y, double from, double to) {
    return new NearQuery(x, y, from, to, Optional.empty());
  }

  /** Returns the minimum distance. */
  public double from() {
    return from;
  }

  /** Returns the maximum distance. */
  public double to() {
    return to;
  }

  public boolean onSphere() {
    return center.isPresent();
  }

  /** Returns the same point with other bounds. */
  public NearQuery between(double least, double greatest) {
    return new NearQuery(x, y, least, greatest, center);
  }

  /** Returns the region between the two distances. */
  public Region region() {
    return onSphere() ? Region.ring(x, y, from, to) : Region.annulus(x, y, from, to);
  }

  /** A location in a document, and its distance. */
  public record Found(Value place, double distance) {}

  /** Returns the nearest location at the path, regardless of the bounds. */
  public Optional<Found> nearest(Document document, FieldPath path) {
    return inObject(document, path, 0);
  }

  private Optional<Found> inObject(Document object, FieldPath path, int step) {
    Value value = object.field(path.stepUtf8(step));
    if (step + 1 == path.length()) {
      return atEnd(value);
    }
    return switch (value.type()) {
      case OBJECT -> inObject(value.asDocument(), path, step + 1);
      case ARRAY -> inArray(value, path, step + 1);
      default -> Optional.empty();
    };
  }

  private Optional<Found> inArray(Value array, FieldPath path, int step) {
    Optional<Found> nearest = Optional.empty();
    Fields elements = array.asDocument().fields();
    for (int i = 0; elements.next(); i++) {
      Value element = elements.value();
      if (element.type() == Type.OBJECT) {
        nearest = nearer(nearest, inObject(element.asDocument(), path, step));
      }
      if (path.index(step) == i) {
        nearest = nearer(nearest, atPlace(element, path, step + 1));
      }
    }
    return nearest;
  }

  private Optional<Found> atPlace(Value element, FieldPath path, int step) {
    if (step == path.length()) {
      return found(element);
    }
    return switch (element.type()) {
      case OBJECT -> inObject(element.asDocument(), path, step);
      case ARRAY -> inArray(element, path, step);
      default -> Optional.empty();
    };
  }

  /** An array is a location itself, or its elements are. */
  private Optional<Found> atEnd(Value value) {
    Optional<Found> nearest = found(value);
    if (value.isArray()) {
      Fields elements = value.asDocument().fields();
      while (elements.next()) {
        nearest = nearer(nearest, found(elements.value()));
      }
    }
    return nearest;
  }

  private Optional<Found> found(Value value) {
    return Location.find(value).flatMap(this::distance).map(distance -> new Found(value, distance));
  }

  private Optional<Double> distance(Location place) {
    return center.isPresent()
        ? place.geometry().map(geometry -> center.get().radiansTo(geometry))
        : place.distanceFrom(x, y);
  }

  private static Optional<Found> nearer(Optional<Found> one, Optional<Found> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isPresent() ? one : other;
    }
    return one.get().distance() <= other.get().distance() ? one : other;
  }
}
