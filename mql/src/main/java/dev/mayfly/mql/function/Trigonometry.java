package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Operands;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.function.DoubleUnaryOperator;

/** Trigonometric functions, in radians. Decimals are computed as doubles, with their precision. */
public final class Trigonometry {
  private static final BigDecimal PI = new BigDecimal("3.141592653589793238462643383279503");
  private static final BigDecimal HALF_TURN = BigDecimal.valueOf(180);
  private static final Value RADIANS_PER_DEGREE =
      Value.decimal(PI.divide(HALF_TURN, MathContext.DECIMAL128));
  private static final Value DEGREES_PER_RADIAN =
      Value.decimal(HALF_TURN.divide(PI, MathContext.DECIMAL128));

  private Trigonometry() {}

  public static Value sin(Value angle) {
    return ofFinite(angle, Math::sin);
  }

  public static Value cos(Value angle) {
    return ofFinite(angle, Math::cos);
  }

  public static Value tan(Value angle) {
    return ofFinite(angle, Math::tan);
  }

  public static Value asin(Value number) {
    return within(number, -1, 1, Math::asin);
  }

  public static Value acos(Value number) {
    return within(number, -1, 1, Math::acos);
  }

  public static Value atan(Value number) {
    return apply(number, Math::atan);
  }

  public static Value atan2(Value y, Value x) {
    Operands.requireNumber(y, 51044, "{} only supports numeric types, not ");
    Operands.requireNumber(x, 51045, "{} only supports numeric types, not ");
    double angle = Math.atan2(y.asDouble(), x.asDouble());
    boolean decimal = y.type() == Type.DECIMAL128 || x.type() == Type.DECIMAL128;
    return decimal ? Decimals.of(angle) : Value.of(angle);
  }

  public static Value sinh(Value number) {
    return apply(number, Math::sinh);
  }

  public static Value cosh(Value number) {
    return apply(number, Math::cosh);
  }

  public static Value tanh(Value number) {
    return apply(number, Math::tanh);
  }

  public static Value asinh(Value number) {
    return apply(number, Trigonometry::asinh);
  }

  public static Value acosh(Value number) {
    return within(number, 1, Double.POSITIVE_INFINITY, x -> Math.log(x + Math.sqrt(x * x - 1)));
  }

  public static Value atanh(Value number) {
    return within(number, -1, 1, x -> 0.5 * (Math.log1p(x) - Math.log1p(-x)));
  }

  public static Value degreesToRadians(Value number) {
    return number.type() == Type.DECIMAL128
        ? Decimals.multiply(number, RADIANS_PER_DEGREE)
        : apply(number, degrees -> degrees * (Math.PI / 180));
  }

  public static Value radiansToDegrees(Value number) {
    return number.type() == Type.DECIMAL128
        ? Decimals.multiply(number, DEGREES_PER_RADIAN)
        : apply(number, radians -> radians * (180 / Math.PI));
  }

  private static String shown(Value number) {
    return number.type() == Type.DECIMAL128
        ? SimpleTexts.of(number)
        : SimpleTexts.sixDigits(number.asDouble());
  }

  private static double asinh(double x) {
    return Double.isInfinite(x) ? x : Math.signum(x) * log1pRoot(Math.abs(x));
  }

  private static double log1pRoot(double x) {
    return Math.log1p(x + x * x / (1 + Math.sqrt(x * x + 1)));
  }

  private static Value apply(Value number, DoubleUnaryOperator function) {
    Powers.requireNumber(number);
    double result = function.applyAsDouble(number.asDouble());
    return number.type() == Type.DECIMAL128 ? Decimals.of(result) : Value.of(result);
  }

  private static Value ofFinite(Value angle, DoubleUnaryOperator function) {
    Powers.requireNumber(angle);
    if (Double.isInfinite(angle.asDouble())) {
      throw Operands.badValue(
          50989, "cannot apply {} to " + shown(angle) + ", value must be in (-inf,inf)");
    }
    return apply(angle, function);
  }

  private static Value within(Value number, double low, double high, DoubleUnaryOperator function) {
    Powers.requireNumber(number);
    double x = number.asDouble();
    if (x < low || x > high) {
      String range = "[" + SimpleTexts.sixDigits(low) + "," + SimpleTexts.sixDigits(high) + "]";
      throw Operands.badValue(
          50989, "cannot apply {} to " + shown(number) + ", value must be in " + range);
    }
    return apply(number, function);
  }
}
