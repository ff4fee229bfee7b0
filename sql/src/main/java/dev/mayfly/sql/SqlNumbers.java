package dev.mayfly.sql;

import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/** Conversions of numbers for functions: 64-bit integers are exact, others are doubles. */
final class SqlNumbers {
  private static final double TWO_TO_63 = 0x1p63;

  private SqlNumbers() {}

  /** Whether a value is an integer of 64 bits. */
  static boolean integral(Value value) {
    return switch (value.type()) {
      case INT32, INT64 -> true;
      case DOUBLE, DECIMAL128 -> integral(value.asDouble());
      default -> false;
    };
  }

  static boolean integral(double number) {
    return number == Math.rint(number) && number >= -TWO_TO_63 && number < TWO_TO_63;
  }

  /** Whether a number has an integer type. */
  static boolean exact(Value number) {
    return number.type() == Type.INT32 || number.type() == Type.INT64;
  }

  /** Returns the integer part of a number. */
  static long integer(Value number) {
    return exact(number) ? number.asLong() : (long) number.asDouble();
  }

  /** Returns a number as a count or index, clamped to the range of an int. */
  static int count(Value number) {
    return Math.clamp(integer(number), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /** Returns the number; undefined if it is NaN or infinite. */
  static Value finite(double number) {
    return Double.isFinite(number) ? Value.of(number) : Value.MISSING;
  }
}
