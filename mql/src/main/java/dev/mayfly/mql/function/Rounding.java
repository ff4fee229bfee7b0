package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Operands;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Rounding and absolute values; the type stays the same. */
public final class Rounding {
  private static final int MIN_PLACE = -20;
  private static final int MAX_PLACE = 100;
  private static final int DECIMAL_DIGITS = 34;

  private Rounding() {}

  /** Returns the absolute value; the smallest int becomes a long. */
  public static Value abs(Value number) {
    requireNumber(number);
    return switch (number.type()) {
      case INT32 -> Operands.intOrLong(Math.abs(number.asLong()));
      case INT64 -> {
        if (number.asLong() == Long.MIN_VALUE) {
          throw Operands.overflow(28680, "can't take {} of long long min");
        }
        yield Value.of(Math.abs(number.asLong()));
      }
      case DOUBLE -> Value.of(Math.abs(number.asDouble()));
      default -> absDecimal(number);
    };
  }

  /** Returns the smallest integer that is not below. */
  public static Value ceil(Value number) {
    requireNumber(number);
    return switch (number.type()) {
      case INT32, INT64 -> number;
      case DOUBLE -> Value.of(Math.ceil(number.asDouble()));
      default -> scaled(number, 0, RoundingMode.CEILING);
    };
  }

  /** Returns the largest integer that is not above. */
  public static Value floor(Value number) {
    requireNumber(number);
    return switch (number.type()) {
      case INT32, INT64 -> number;
      case DOUBLE -> Value.of(Math.floor(number.asDouble()));
      default -> scaled(number, 0, RoundingMode.FLOOR);
    };
  }

  /** Rounds a number, optionally to a decimal place; half to even. */
  public static Value round(Value[] numberAndPlace) {
    return toPlace(numberAndPlace, RoundingMode.HALF_EVEN);
  }

  /** Truncates a number, optionally at a decimal place. */
  public static Value trunc(Value[] numberAndPlace) {
    return toPlace(numberAndPlace, RoundingMode.DOWN);
  }

  static Value round(Value number, int place) {
    return toPlace(number, place, RoundingMode.HALF_EVEN);
  }

  private static Value toPlace(Value[] operands, RoundingMode mode) {
    Value number = operands[0];
    Operands.requireNumber(number, 51081, "{} only supports numeric types, not ");
    return toPlace(number, operands.length > 1 ? place(operands[1]) : 0, mode);
  }

  private static int place(Value place) {
    if (!place.isNumber()) {
      throw Operands.wrongType(
          16004, "can't convert from BSON type " + Operands.typeName(place) + " to long");
    }
    if (!place.isFinite()) {
      throw Operands.badValue(
          31109, "Can't coerce out of range value " + shown(place) + " to long");
    }
    if (!Operands.integral(place)) {
      throw Operands.badValue(51082, "precision argument to  {} must be a integral value");
    }
    int digits = place.asInt();
    if (digits < MIN_PLACE || digits > MAX_PLACE) {
      throw Operands.badValue(
          51083, "cannot apply {} with precision value " + digits + " value must be in [-20, 100]");
    }
    return digits;
  }

  private static String shown(Value place) {
    return place.type() == Type.DECIMAL128
        ? SimpleTexts.of(place)
        : SimpleTexts.sixDigits(place.asDouble());
  }

  private static Value toPlace(Value number, int place, RoundingMode mode) {
    return switch (number.type()) {
      case INT32, INT64 -> place >= 0 ? number : roundedWhole(number, place, mode);
      case DOUBLE -> roundedDouble(number, place, mode);
      default -> scaled(number, place, mode);
    };
  }

  private static Value roundedWhole(Value number, int place, RoundingMode mode) {
    BigDecimal rounded = number.asDecimal().setScale(place, mode);
    if (rounded.toBigInteger().bitLength() > 63) {
      throw Operands.overflow(
          51080,
          "invalid conversion from Decimal128 result in {} resulting from arguments: ["
              + number.asLong()
              + ", "
              + place
              + "]");
    }
    long whole = rounded.longValue();
    return number.type() == Type.INT64 ? Value.of(whole) : Operands.intOrLong(whole);
  }

  private static Value roundedDouble(Value number, int place, RoundingMode mode) {
    double exact = number.asDouble();
    if (!Double.isFinite(exact)) {
      return number;
    }
    if (place == 0) {
      return Value.of(mode == RoundingMode.DOWN ? towardsZero(exact) : Math.rint(exact));
    }
    BigDecimal digits = new BigDecimal(exact).round(MathContext.DECIMAL128);
    return digits.scale() <= place ? number : Value.of(digits.setScale(place, mode).doubleValue());
  }

  private static double towardsZero(double number) {
    return number < 0 ? Math.ceil(number) : Math.floor(number);
  }

  private static Value scaled(Value number, int place, RoundingMode mode) {
    if (!number.isFinite()) {
      return number;
    }
    BigDecimal exact = number.asDecimal();
    int room = DECIMAL_DIGITS - (exact.precision() - exact.scale());
    BigDecimal rounded = exact.setScale(Math.min(place, room), mode);
    return Decimals.signed(rounded, Decimals.isNegative(number.asDouble()));
  }

  private static Value absDecimal(Value number) {
    if (number.isNaN()) {
      return number;
    }
    return number.isFinite() ? Value.decimal(number.asDecimal().abs()) : Decimals.INFINITY;
  }

  private static void requireNumber(Value number) {
    Operands.requireNumber(number, 28765, "{} only supports numeric types, not ");
  }
}
