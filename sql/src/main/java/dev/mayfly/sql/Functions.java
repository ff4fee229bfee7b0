package dev.mayfly.sql;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The built-in functions by name.
 *
 * <p>As a rule a function is undefined as soon as an argument is undefined or of another type than
 * it takes; where it is not so, the function says so.
 */
public final class Functions {
  private static final Map<String, Function> BY_NAME =
      Stream.of(
              TypeChecks.ALL,
              TextFunctions.ALL,
              PatternFunctions.ALL,
              NumberFunctions.ALL,
              ArrayFunctions.ALL,
              DateFunctions.ALL,
              SpatialFunctions.ALL)
          .flatMap(List::stream)
          .collect(Collectors.toUnmodifiableMap(Function::name, UnaryOperator.identity()));

  private static final Map<String, Function> IN_PLANE =
      SpatialFunctions.IN_PLANE.stream()
          .collect(Collectors.toUnmodifiableMap(Function::name, UnaryOperator.identity()));

  private Functions() {}

  /** The function with this name, in upper case; empty when there is none. */
  public static Optional<Function> find(String name) {
    return find(name, Geospatial.GEOGRAPHY);
  }

  /** As {@link #find(String)}, for a container whose geometries lie there. */
  public static Optional<Function> find(String name, Geospatial type) {
    Function planar = type == Geospatial.GEOMETRY ? IN_PLANE.get(name) : null;
    return Optional.ofNullable(planar == null ? BY_NAME.get(name) : planar);
  }
}
