package dev.mayfly.mql.function;

import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;

/**
 * Arithmetic with 34 decimal digits.
 *
 * <p>If an operand is NaN or infinite, the result is so too or is trivial; doubles compute it
 * correctly.
 */
public final class Decimals {
  static final Value NAN = Value.decimal("NaN");
  static final Value INFINITY = Value.decimal("Infinity");
  static final Value NEGATIVE_INFINITY = Value.decimal("-Infinity");
  public static final Value ZERO = Value.decimal(BigDecimal.ZERO);
  private static final Value NEGATIVE_ZERO = Value.decimal("-0");

  /** Digits that a double represents exactly. */
  private static final MathContext DOUBLE_DIGITS = new MathContext(15, RoundingMode.HALF_EVEN);

  private Decimals() {}

  /** Returns any number as a decimal; a double with its 15 reliable digits. */
  public static Value of(Value number) {
    return switch (number.type()) {
      case DECIMAL128 -> number;
      case DOUBLE -> of(number.asDouble());
      default -> Value.decimal(number.asDecimal());
    };
  }

  /** Returns the double with its 15 reliable digits. */
  public static Value of(double number) {
    if (!Double.isFinite(number)) {
      return special(number);
    }
    if (number == 0) {
      return isNegative(number) ? NEGATIVE_ZERO : ZERO;
    }
    BigDecimal rounded = new BigDecimal(number).round(DOUBLE_DIGITS);
    int missing = DOUBLE_DIGITS.getPrecision() - rounded.precision();
    return Value.decimal(rounded.setScale(rounded.scale() + missing));
  }

  public static Value add(Value left, Value right) {
    return apply(left, right, (a, b) -> a.add(b, MathContext.DECIMAL128), Double::sum);
  }

  public static Value subtract(Value left, Value right) {
    return apply(left, right, (a, b) -> a.subtract(b, MathContext.DECIMAL128), (a, b) -> a - b);
  }

  public static Value multiply(Value left, Value right) {
    return apply(left, right, (a, b) -> a.multiply(b, MathContext.DECIMAL128), (a, b) -> a * b);
  }

  /** Returns the quotient; the divisor must not be zero. */
  public static Value divide(Value left, Value right) {
    return apply(left, right, (a, b) -> a.divide(b, MathContext.DECIMAL128), (a, b) -> a / b);
  }

  /** Returns the remainder of a division towards zero; the divisor must not be zero. */
  static Value remainder(Value left, Value right) {
    if (left.isFinite() && !right.isFinite() && !right.isNaN()) {
      return of(left);
    }
    return apply(left, right, BigDecimal::remainder, (a, b) -> a % b);
  }

  /** Returns whether the number is zero of either sign. */
  static boolean isZero(Value number) {
    return number.type() == Type.DECIMAL128
        ? number.isFinite() && number.asDecimal().signum() == 0
        : number.asDouble() == 0;
  }

  /** Returns whether the number is below zero, or negative zero. */
  static boolean isNegative(double number) {
    return Math.copySign(1, number) < 0;
  }

  /** Returns the number; if it is zero, the zero of this sign. */
  static Value signed(BigDecimal number, boolean negative) {
    return number.signum() == 0 && negative ? Value.decimal("-" + number) : Value.decimal(number);
  }

  static Value special(double number) {
    if (Double.isNaN(number)) {
      return NAN;
    }
    return number > 0 ? INFINITY : NEGATIVE_INFINITY;
  }

  /** Returns a simple number with the same sign: one, or zero. */
  private static double unit(Value number) {
    return Math.copySign(isZero(number) ? 0 : 1, number.asDouble());
  }

  private static Value apply(
      Value left, Value right, BinaryOperator<BigDecimal> finite, DoubleBinaryOperator otherwise) {
    if (left.isFinite() && right.isFinite()) {
      BigDecimal result = finite.apply(of(left).asDecimal(), of(right).asDecimal());
      return signed(result, isNegative(otherwise.applyAsDouble(unit(left), unit(right))));
    }
    return of(otherwise.applyAsDouble(left.asDouble(), right.asDouble()));
  }
}
