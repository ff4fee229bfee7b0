package dev.mayfly.sql;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Built-in functions by name.
 *
 * <p>Unless documented otherwise, a function is undefined if an argument is undefined or has the
 * wrong type.
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

  /** Returns the function with a name in upper case; empty if there is none. */
  public static Optional<Function> find(String name) {
    return find(name, Geospatial.GEOGRAPHY);
  }

  /** As {@link #find(String)}, for a container of a geospatial type. */
  public static Optional<Function> find(String name, Geospatial type) {
    Function planar = type == Geospatial.GEOMETRY ? IN_PLANE.get(name) : null;
    return Optional.ofNullable(planar == null ? BY_NAME.get(name) : planar);
  }
}
