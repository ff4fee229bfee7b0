package dev.mayfly.query.geo;

import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Optional;

/**
 * That places nearer to a point come first, and how far away they may be.
 *
 * <p>Distances are radians on the sphere, and of the plane what its coordinates are.
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
   * Near to a point of the sphere.
   *
   * @throws GeometryException when longitude or latitude are beyond what they can be
   */
  public static NearQuery onSphere(double longitude, double latitude, double from, double to) {
    return new NearQuery(
        longitude,
        latitude,
        from,
        Math.min(to, Math.PI),
        Optional.of(Geometry.point(longitude, latitude)));
  }

  /** Near to a point of the plane. */
  public static NearQuery onPlane(double x, double y, double from, double to) {
    return new NearQuery(x, y, from, to, Optional.empty());
  }

  /** The least distance. */
  public double from() {
    return from;
  }

  /** The greatest distance. */
  public double to() {
    return to;
  }

  public boolean onSphere() {
    return center.isPresent();
  }

  /** The same point with other distances. */
  public NearQuery between(double least, double greatest) {
    return new NearQuery(x, y, least, greatest, center);
  }

  /** What is neither nearer nor farther than that. */
  public Region region() {
    return onSphere() ? Region.ring(x, y, from, to) : Region.annulus(x, y, from, to);
  }

  /** A place in a document, and how far away it is. */
  public record Found(Value place, double distance) {}

  /** The nearest of the places that a path leads to, whatever distance is asked for. */
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

  /** An array is a place itself, or has places as its elements. */
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
