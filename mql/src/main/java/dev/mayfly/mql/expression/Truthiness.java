package dev.mayfly.mql.expression;

import dev.mayfly.value.Value;

/** Which values count as true, and which as nothing. */
public final class Truthiness {
  private Truthiness() {}

  /** False for false, zero of any type, null and missing; true for all else, NaN included. */
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

  /** True for null, missing and BSON's undefined. */
  public static boolean nullish(Value value) {
    return switch (value.type()) {
      case MISSING, NULL, UNDEFINED -> true;
      default -> false;
    };
  }
}
