package dev.mayfly.mql.expression;

import dev.mayfly.value.Value;

/** Conversion of values to booleans, and the test for nullish values. */
public final class Truthiness {
  private Truthiness() {}

  /**
   * Returns false for false, zero of any type, null and missing; true for all else, including NaN.
   */
  public static boolean truthy(Value value) {
    return switch (value.type()) {
      case MISSING, NULL, UNDEFINED -> false;
      case BOOLEAN -> value.asBoolean();
      case INT32, INT64 -> value.asLong() != 0;
      case DOUBLE -> value.asDouble() != 0;
      case DECIMAL128 -> !value.isFinite() || value.asDecimal().signum() != 0;
      default -> true;
    };
  }

  /** Returns true for null, missing and BSON's undefined. */
  public static boolean nullish(Value value) {
    return switch (value.type()) {
      case MISSING, NULL, UNDEFINED -> true;
      default -> false;
    };
  }
}
