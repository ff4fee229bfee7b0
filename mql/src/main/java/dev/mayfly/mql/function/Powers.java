package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Operands;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;

/** Powers, roots and logarithms: doubles, or decimals if an operand is one. */
public final class Powers {
  private Powers() {}

  /** Returns the power; an integer if both operands are integers and a long holds the result. */
  public static Value pow(Value base, Value exponent) {
    Operands.requireNumber(base, 28762, "{}'s base must be numeric, not ");
    Operands.requireNumber(exponent, 28763, "{}'s exponent must be numeric, not ");
    if (Decimals.isZero(base) && exponent.asDouble() < 0) {
      throw Operands.badValue(28764, "{} cannot take a base of 0 and a negative exponent");
    }
    return switch (Operands.wider(base.type(), exponent.type())) {
      case DECIMAL128 -> decimalPower(base, exponent);
      case DOUBLE -> Value.of(Math.pow(base.asDouble(), exponent.asDouble()));
      default -> wholePower(base, exponent);
    };
  }

  /** Returns the square root of a non-negative number. */
  public static Value sqrt(Value number) {
    requireNumber(number);
    if (number.asDouble() < 0) {
      throw Operands.badValue(28714, "{}'s argument must be greater than or equal to 0");
    }
    return apply(number, Math::sqrt, exact -> exact.sqrt(MathContext.DECIMAL128));
  }

  /** Returns e to this power. */
  public static Value exp(Value number) {
    requireNumber(number);
    return apply(number, Math::exp, DecimalMath::exp);
  }

  /** Returns the natural logarithm of a positive number. */
  public static Value ln(Value number) {
    requireNumber(number);
    requirePositive(number, 28766, "{}'s argument must be a positive number, but is ");
    return apply(number, Math::log, DecimalMath::ln);
  }

  /** Returns the logarithm to base 10 of a positive number. */
  public static Value log10(Value number) {
    requireNumber(number);
    requirePositive(number, 28761, "{}'s argument must be a positive number, but is ");
    return apply(number, Math::log10, exact -> DecimalMath.log(exact, BigDecimal.TEN));
  }

  /** Returns the logarithm of a positive number to a positive base other than 1. */
  public static Value log(Value number, Value base) {
    Operands.requireNumber(number, 28756, "{}'s argument must be numeric, not ");
    Operands.requireNumber(base, 28757, "{}'s base must be numeric, not ");
    requirePositive(number, 28758, "{}'s argument must be a positive number, but is ");
    if (base.asDouble() <= 0 || base.asDouble() == 1) {
      throw Operands.badValue(
          28759, "{}'s base must be a positive number not equal to 1, but is " + base);
    }
    boolean decimal = number.type() == Type.DECIMAL128 || base.type() == Type.DECIMAL128;
    if (decimal && number.isFinite() && base.isFinite()) {
      return Value.decimal(
          DecimalMath.log(Decimals.of(number).asDecimal(), Decimals.of(base).asDecimal()));
    }
    double result = Math.log(number.asDouble()) / Math.log(base.asDouble());
    return decimal ? Decimals.of(result) : Value.of(result);
  }

  /** Applies the double or the decimal form of a function, by the type of the number. */
  static Value apply(Value number, DoubleUnaryOperator binary, UnaryOperator<BigDecimal> decimal) {
    if (number.type() != Type.DECIMAL128) {
      return Value.of(binary.applyAsDouble(number.asDouble()));
    }
    return number.isFinite()
        ? Value.decimal(decimal.apply(number.asDecimal()))
        : Decimals.of(binary.applyAsDouble(number.asDouble()));
  }

  static void requireNumber(Value number) {
    Operands.requireNumber(number, 28765, "{} only supports numeric types, not ");
  }

  private static void requirePositive(Value number, int code, String message) {
    if (number.asDouble() <= 0) {
      throw Operands.badValue(code, message + number);
    }
  }

  private static Value wholePower(Value base, Value exponent) {
    long power = power(base.asLong(), exponent.asLong());
    if (power == 0 && base.asLong() != 0) {
      return Value.of(Math.pow(base.asDouble(), exponent.asDouble()));
    }
    boolean ints = base.type() == Type.INT32 && exponent.type() == Type.INT32;
    return ints ? Operands.intOrLong(power) : Value.of(power);
  }

  /** Returns the power, or 0 if a long does not hold it; no other base has the power 0. */
  private static long power(long base, long exponent) {
    if (base == 1 || base == 0 || base == -1) {
      boolean one = base == 1 || exponent == 0;
      return one ? 1 : (exponent & 1) == 0 ? base * base : base;
    }
    if (exponent < 0 || exponent > 63) {
      return 0;
    }
    long power = 1;
    for (long i = 0; i < exponent; i++) {
      if (Math.multiplyHigh(power, base) != (power * base) >> 63) {
        return 0;
      }
      power *= base;
    }
    return power;
  }

  private static Value decimalPower(Value base, Value exponent) {
    if (!base.isFinite() || !exponent.isFinite() || Decimals.isZero(base)) {
      return Decimals.of(Math.pow(base.asDouble(), exponent.asDouble()));
    }
    BigDecimal number = Decimals.of(base).asDecimal();
    if (Operands.integral(exponent) && Math.abs(exponent.asLong()) <= 999_999) {
      return Value.decimal(DecimalMath.power(number, exponent.asInt()));
    }
    if (number.signum() < 0) {
      return Decimals.NAN;
    }
    BigDecimal product = DecimalMath.ln(number).multiply(Decimals.of(exponent).asDecimal());
    return Value.decimal(DecimalMath.exp(product));
  }
}
