package dev.mayfly.sql;

import dev.mayfly.query.geo.Geometry;
import dev.mayfly.query.geo.Region;
import dev.mayfly.value.Value;
import java.util.Optional;

/**
 * Regions that contain all geometries for which a spatial function is true, for index lookups;
 * empty for an invalid geometry.
 */
public final class SpatialBounds {
  /** Margin in radians, larger than the error of any computed distance: 0.01 mm on earth. */
  private static final double MARGIN = 1e-12;

  private SpatialBounds() {}

  /** Returns the region within a distance of a point. */
  public static Optional<Region> near(Value point, double metres) {
    Optional<Geometry> center = SpatialFunctions.geometry(point);
    if (center.isEmpty() || center.get().kind() != Geometry.Kind.POINT || !(metres >= 0)) {
      return Optional.empty();
    }
    double radians = Math.min(Geometry.mostRadians(metres) + MARGIN, Math.PI);
    Geometry at = center.get();
    return Optional.of(Region.ring(at.longitude(), at.latitude(), 0, radians).leftOfRings());
  }

  /** Returns the region of geometries within an area. */
  public static Optional<Region> around(Value area) {
    return valid(area).map(one -> Region.within(one.asDocument()).leftOfRings());
  }

  /** Returns the region of geometries that intersect a geometry. */
  public static Optional<Region> touching(Value geometry) {
    return valid(geometry).map(one -> Region.touching(one.asDocument()).leftOfRings());
  }

  private static Optional<Value> valid(Value geometry) {
    return SpatialFunctions.geometry(geometry).isPresent()
        ? Optional.of(geometry)
        : Optional.empty();
  }
}
