package dev.mayfly.value;

import java.math.BigDecimal;

/**
 * Exact comparison of the four types of numbers.
 *
 * <p>The floor of a number is the largest double that is not above it. If the floors of two numbers
 * differ, the numbers have the same order. If they are equal, a number that equals its floor is
 * below one that does not. Only two numbers strictly between the same two adjacent doubles are
 * compared digit by digit. Keys are built from the same three parts. NaN is below everything and
 * equal to itself; both zeros are the same number.
 */
final class Numbers {
  /** Powers of ten that a double holds exactly. */
  private static final double[] TENS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  private static final long EXACT_INTEGERS = 1L << 53;

  private Numbers() {}

  static int compare(Type left, byte[] a, int aOffset, Type right, byte[] b, int bOffset) {
    if (isInteger(left) && isInteger(right)) {
      return Long.compare(integer(left, a, aOffset), integer(right, b, bOffset));
    }
    double leftFloor = floor(left, a, aOffset);
    double rightFloor = floor(right, b, bOffset);
    int byFloor = compare(leftFloor, rightFloor);
    if (byFloor != 0) {
      return byFloor;
    }
    boolean leftExact = isExact(left, a, aOffset, leftFloor);
    boolean rightExact = isExact(right, b, bOffset, rightFloor);
    if (leftExact || rightExact) {
      return Boolean.compare(rightExact, leftExact);
    }
    return compareBetween(left, a, aOffset, right, b, bOffset);
  }

  /** The largest double that is not above the number; NaN for NaN. */
  static double floor(Type type, byte[] buffer, int offset) {
    return switch (type) {
      case INT32 -> LittleEndian.int32(buffer, offset);
      case INT64 -> floor(LittleEndian.int64(buffer, offset));
      case DOUBLE -> LittleEndian.float64(buffer, offset) + 0.0;
      case DECIMAL128 ->
          floor(LittleEndian.int64(buffer, offset + 8), LittleEndian.int64(buffer, offset)) + 0.0;
      default -> throw new AssertionError(type);
    };
  }

  /** Returns whether the number is its floor. */
  static boolean isExact(Type type, byte[] buffer, int offset, double floor) {
    return switch (type) {
      case INT32, DOUBLE -> true;
      case INT64 -> (long) floor == LittleEndian.int64(buffer, offset);
      case DECIMAL128 ->
          above(LittleEndian.int64(buffer, offset + 8), LittleEndian.int64(buffer, offset), floor)
              == 0;
      default -> throw new AssertionError(type);
    };
  }

  private static int compare(double a, double b) {
    if (a < b) {
      return -1;
    }
    if (a > b) {
      return 1;
    }
    return a == b ? 0 : Boolean.compare(Double.isNaN(b), Double.isNaN(a));
  }

  private static int compareBetween(
      Type left, byte[] a, int aOffset, Type right, byte[] b, int bOffset) {
    if (left == Type.DECIMAL128 && right == Type.DECIMAL128) {
      long aHigh = LittleEndian.int64(a, aOffset + 8);
      long aLow = LittleEndian.int64(a, aOffset);
      long bHigh = LittleEndian.int64(b, bOffset + 8);
      long bLow = LittleEndian.int64(b, bOffset);
      if (Decimal.exponent(aHigh) == Decimal.exponent(bHigh)
          && Decimal.isSmall(aHigh, aLow)
          && Decimal.isSmall(bHigh, bLow)) {
        return Long.compare(Decimal.small(aHigh, aLow), Decimal.small(bHigh, bLow));
      }
    }
    return exact(left, a, aOffset).compareTo(exact(right, b, bOffset));
  }

  private static BigDecimal exact(Type type, byte[] buffer, int offset) {
    return Value.view(type, buffer, offset).asDecimal();
  }

  private static boolean isInteger(Type type) {
    return type == Type.INT32 || type == Type.INT64;
  }

  private static long integer(Type type, byte[] buffer, int offset) {
    return type == Type.INT32
        ? LittleEndian.int32(buffer, offset)
        : LittleEndian.int64(buffer, offset);
  }

  private static double floor(long number) {
    double nearest = (double) number;
    // 2^63 itself saturates in the cast back, so it needs its own case.
    boolean above = nearest == 0x1p63 || (long) nearest > number;
    return above ? Math.nextDown(nearest) : nearest;
  }

  private static double floor(long high, long low) {
    if (!Decimal.isFinite(high)) {
      return Decimal.toDouble(high, low);
    }
    double near = near(high, low);
    if (near == Double.POSITIVE_INFINITY) {
      return Double.MAX_VALUE;
    }
    return near != Double.NEGATIVE_INFINITY && above(high, low, near) < 0
        ? Math.nextDown(near)
        : near;
  }

  /** The double nearest to a finite decimal. */
  private static double near(long high, long low) {
    if (isShort(high, low)) {
      // both operands are exact, so there is only one rounding
      double coefficient = Decimal.small(high, low);
      int exponent = Decimal.exponent(high);
      return exponent < 0 ? coefficient / TENS[-exponent] : coefficient * TENS[exponent];
    }
    return Decimal.toDouble(high, low);
  }

  /** The sign of a decimal minus a double that is near it. */
  private static int above(long high, long low, double near) {
    if (!Decimal.isFinite(high)) {
      return 0;
    }
    if (isShort(high, low)) {
      // A fused multiply-add rounds once, so the sign of the difference survives.
      double coefficient = Decimal.small(high, low);
      int exponent = Decimal.exponent(high);
      double difference =
          exponent < 0
              ? -Math.fma(near, TENS[-exponent], -coefficient)
              : Math.fma(coefficient, TENS[exponent], -near);
      return (int) Math.signum(difference);
    }
    if (Double.isInfinite(near)) {
      return near < 0 ? 1 : -1;
    }
    return Decimal.toBigDecimal(high, low).compareTo(new BigDecimal(near));
  }

  /** Returns whether coefficient and power of ten are both exact as doubles. */
  private static boolean isShort(long high, long low) {
    return Decimal.isSmall(high, low)
        && Math.abs(Decimal.small(high, low)) <= EXACT_INTEGERS
        && Math.abs(Decimal.exponent(high)) < TENS.length;
  }
}
