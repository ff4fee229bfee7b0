package dev.mayfly.sql;

import static dev.mayfly.sql.BuiltIn.named;
import static dev.mayfly.sql.Kind.DEFINED;

import dev.mayfly.query.geo.Geometry;
import dev.mayfly.query.geo.GeometryException;
import dev.mayfly.query.geo.PlanarGeometry;
import dev.mayfly.query.geo.Winding;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;

/**
 * Spatial functions on GeoJSON; undefined for invalid geometries.
 *
 * <p>On earth, a polygon is to the left of its rings, and distances and areas are in metres and
 * square metres on the WGS 84 ellipsoid. In the plane they are in units of the coordinates.
 */
final class SpatialFunctions {
  /** On earth. */
  static final List<Function> ALL =
      of(
          value -> Geometry.of(value, Winding.LEFT),
          Geometry::squareMetres,
          Geometry::metresTo,
          Geometry::intersects,
          Geometry::contains);

  /** The same in the plane. */
  static final List<Function> IN_PLANE =
      of(
          PlanarGeometry::of,
          PlanarGeometry::area,
          PlanarGeometry::distanceTo,
          PlanarGeometry::intersects,
          PlanarGeometry::contains);

  private SpatialFunctions() {}

  private static <G> List<Function> of(
      java.util.function.Function<Value, G> reader,
      ToDoubleFunction<G> area,
      ToDoubleBiFunction<G, G> distance,
      BiPredicate<G, G> intersects,
      BiPredicate<G, G> contains) {
    return List.of(
        named("ST_AREA", DEFINED)
            .is(
                a ->
                    read(a[0], reader)
                        .map(it -> SqlNumbers.finite(area.applyAsDouble(it)))
                        .orElse(Value.MISSING)),
        both("ST_DISTANCE", reader, (a, b) -> SqlNumbers.finite(distance.applyAsDouble(a, b))),
        both("ST_INTERSECTS", reader, (a, b) -> Value.of(intersects.test(a, b))),
        named("ST_ISVALID", DEFINED).is(a -> Value.of(read(a[0], reader).isPresent())),
        named("ST_ISVALIDDETAILED", DEFINED).is(a -> detailed(a[0], reader)),
        both("ST_WITHIN", reader, (a, b) -> Value.of(contains.test(b, a))));
  }

  private static <G> Function both(
      String name, java.util.function.Function<Value, G> reader, BiFunction<G, G, Value> function) {
    return named(name, DEFINED, DEFINED)
        .is(
            arguments -> {
              Optional<G> first = read(arguments[0], reader);
              Optional<G> second = read(arguments[1], reader);
              return first.isPresent() && second.isPresent()
                  ? function.apply(first.get(), second.get())
                  : Value.MISSING;
            });
  }

  /** Parses a geometry on earth. */
  static Optional<Geometry> geometry(Value value) {
    return read(value, one -> Geometry.of(one, Winding.LEFT));
  }

  private static <G> Optional<G> read(Value value, java.util.function.Function<Value, G> reader) {
    if (!value.isDocument()) {
      return Optional.empty();
    }
    try {
      return Optional.of(reader.apply(value));
    } catch (GeometryException _) {
      return Optional.empty();
    }
  }

  private static <G> Value detailed(Value value, java.util.function.Function<Value, G> reader) {
    try {
      Objects.requireNonNull(reader.apply(value));
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
