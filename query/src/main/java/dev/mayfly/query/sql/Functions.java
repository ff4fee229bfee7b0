package dev.mayfly.query.sql;

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

  private Functions() {}

  /** The function with this name, in upper case; empty when there is none. */
  public static Optional<Function> find(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }
}
