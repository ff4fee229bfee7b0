package dev.mayfly.query.geo;

import java.util.Optional;

/** Point of the plane. */
record PlanePoint(double x, double y) {
  double distanceTo(PlanePoint other) {
    return Math.hypot(x - other.x, y - other.y);
  }

  /** Returns the point of the sphere with these degrees, if they are valid. */
  Optional<Geometry> onSphere() {
    try {
      return Optional.of(Geometry.point(x, y));
    } catch (GeometryException _) {
      return Optional.empty();
    }
  }
}
