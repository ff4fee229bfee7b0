package dev.mayfly.query.sql;

import static dev.mayfly.query.sql.BuiltIn.named;
import static dev.mayfly.query.sql.Kind.DEFINED;

import dev.mayfly.query.geo.Geometry;
import dev.mayfly.query.geo.GeometryException;
import dev.mayfly.query.geo.Winding;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Functions of geometries, which are objects of GeoJSON; undefined for what is not a valid one.
 *
 * <p>A polygon is what lies to the left of its rings. Distances are metres on a sphere with the
 * mean radius of the WGS 84 ellipsoid, from which the ellipsoid's own differ by half a percent at
 * most.
 */
final class SpatialFunctions {
  /** The mean of the three semi-axes of WGS 84. */
  static final double EARTH_METRES = 6_371_008.771_4;

  static final List<Function> ALL =
      List.of(
          named("ST_AREA", DEFINED)
              .is(
                  a ->
                      geometry(a[0])
                          .map(it -> Value.of(it.steradians() * EARTH_METRES * EARTH_METRES))
                          .orElse(Value.MISSING)),
          both("ST_DISTANCE", (a, b) -> Value.of(a.radiansTo(b) * EARTH_METRES)),
          both("ST_INTERSECTS", (a, b) -> Value.of(a.intersects(b))),
          named("ST_ISVALID", DEFINED).is(a -> Value.of(geometry(a[0]).isPresent())),
          named("ST_ISVALIDDETAILED", DEFINED).is(a -> detailed(a[0])),
          both("ST_WITHIN", (a, b) -> Value.of(b.contains(a))));

  private SpatialFunctions() {}

  private static Function both(String name, BiFunction<Geometry, Geometry, Value> function) {
    return named(name, DEFINED, DEFINED)
        .is(
            arguments -> {
              Optional<Geometry> first = geometry(arguments[0]);
              Optional<Geometry> second = geometry(arguments[1]);
              return first.isPresent() && second.isPresent()
                  ? function.apply(first.get(), second.get())
                  : Value.MISSING;
            });
  }

  static Optional<Geometry> geometry(Value value) {
    if (!value.isDocument()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Geometry.of(value, Winding.LEFT));
    } catch (GeometryException _) {
      return Optional.empty();
    }
  }

  private static Value detailed(Value value) {
    try {
      Geometry.of(value, Winding.LEFT);
      return Value.of(Document.writer().put("valid", true).build());
    } catch (GeometryException wrong) {
      return Value.of(Document.writer().put("valid", false).put("reason", reason(wrong)).build());
    }
  }

  private static String reason(GeometryException wrong) {
    return switch (wrong.reason()) {
      case LATITUDE -> "Latitude values must be between -90 and 90 degrees.";
      case LONGITUDE -> "Longitude values must be between -180 and 180 degrees.";
      case MALFORMED, RING -> wrong.explanation();
    };
  }
}
