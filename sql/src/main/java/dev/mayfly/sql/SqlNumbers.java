package dev.mayfly.sql;

import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/** Numbers as functions see them: whole ones exact in 64 bits, all others doubles. */
final class SqlNumbers {
  private static final double TWO_TO_63 = 0x1p63;

  private SqlNumbers() {}

  /** True for a whole number that 64 bits hold. */
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

  /** True for a number that is kept as a whole one. */
  static boolean exact(Value number) {
    return number.type() == Type.INT32 || number.type() == Type.INT64;
  }

  /** The whole number, or what is left of another when its fraction is cut off. */
  static long whole(Value number) {
    return exact(number) ? number.asLong() : (long) number.asDouble();
  }

  /** The number as a count or a place in a text or an array, kept within the range of an int. */
  static int count(Value number) {
    return Math.clamp(whole(number), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /** The number; undefined when it is none, or beyond all. */
  static Value finite(double number) {
    return Double.isFinite(number) ? Value.of(number) : Value.MISSING;
  }
}
