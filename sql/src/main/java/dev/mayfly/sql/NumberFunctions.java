package dev.mayfly.sql;

import static dev.mayfly.sql.BuiltIn.named;
import static dev.mayfly.sql.Kind.INTEGER;
import static dev.mayfly.sql.Kind.NUMBER;

import dev.mayfly.value.Value;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * Mathematical functions.
 *
 * <p>Computed as doubles; a result that is not finite is undefined. A 64-bit integer stays exact
 * where the function returns integers for integers. Functions whose names begin with INT compute in
 * 64 bits and wrap around.
 */
final class NumberFunctions {
  static final List<Function> ALL =
      List.of(
          named("ABS", NUMBER).is(NumberFunctions::abs),
          real("ACOS", Math::acos),
          real("ASIN", Math::asin),
          real("ATAN", Math::atan),
          real("ATN2", Math::atan2),
          rounded("CEILING", Math::ceil),
          real("COS", Math::cos),
          real("COT", x -> 1 / Math.tan(x)),
          real("DEGREES", Math::toDegrees),
          real("EXP", Math::exp),
          rounded("FLOOR", Math::floor),
          integer("INTADD", (x, y) -> x + y),
          integer("INTBITAND", (x, y) -> x & y),
          shifted("INTBITLEFTSHIFT", (x, y) -> x << y),
          named("INTBITNOT", INTEGER).is(a -> Value.of(~SqlNumbers.integer(a[0]))),
          integer("INTBITOR", (x, y) -> x | y),
          shifted("INTBITRIGHTSHIFT", (x, y) -> x >> y),
          integer("INTBITWISEAND", (x, y) -> x & y),
          shifted("INTBITWISELEFTSHIFT", (x, y) -> x << y),
          named("INTBITWISENOT", INTEGER).is(a -> Value.of(~SqlNumbers.integer(a[0]))),
          integer("INTBITWISEOR", (x, y) -> x | y),
          shifted("INTBITWISERIGHTSHIFT", (x, y) -> x >> y),
          integer("INTBITWISEXOR", (x, y) -> x ^ y),
          integer("INTBITXOR", (x, y) -> x ^ y),
          divided("INTDIV", (x, y) -> x / y),
          divided("INTMOD", (x, y) -> x % y),
          integer("INTMUL", (x, y) -> x * y),
          integer("INTSUB", (x, y) -> x - y),
          named("LOG", NUMBER, NUMBER).required(1).is(NumberFunctions::log),
          real("LOG10", Math::log10),
          named("NUMBERBIN", NUMBER, NUMBER).required(1).is(NumberFunctions::bin),
          named("PI").is(_ -> Value.of(Math.PI)),
          real("POWER", Math::pow),
          real("RADIANS", Math::toRadians),
          named("RAND").varies((_, _) -> Value.of(ThreadLocalRandom.current().nextDouble())),
          named("ROUND", NUMBER, INTEGER).required(1).is(NumberFunctions::round),
          named("SIGN", NUMBER).is(a -> sign(a[0].asDouble())),
          real("SIN", Math::sin),
          real("SQRT", Math::sqrt),
          real("SQUARE", x -> x * x),
          real("TAN", Math::tan),
          rounded("TRUNC", NumberFunctions::truncated));

  /** A double has no digits beyond this number of places before or after the point. */
  private static final int MAX_PLACES = 1_100;

  private static final int LONG_DIGITS = 19;

  private NumberFunctions() {}

  private static Function real(String name, DoubleUnaryOperator function) {
    return named(name, NUMBER).is(a -> SqlNumbers.finite(function.applyAsDouble(a[0].asDouble())));
  }

  private static Function real(String name, DoubleBinaryOperator function) {
    return named(name, NUMBER, NUMBER)
        .is(a -> SqlNumbers.finite(function.applyAsDouble(a[0].asDouble(), a[1].asDouble())));
  }

  /** Returns a function that does not change integers. */
  private static Function rounded(String name, DoubleUnaryOperator function) {
    return named(name, NUMBER)
        .is(a -> SqlNumbers.exact(a[0]) ? a[0] : Value.of(function.applyAsDouble(a[0].asDouble())));
  }

  private static Function integer(String name, LongBinaryOperator function) {
    return named(name, INTEGER, INTEGER)
        .is(
            a ->
                Value.of(function.applyAsLong(SqlNumbers.integer(a[0]), SqlNumbers.integer(a[1]))));
  }

  private static Function divided(String name, LongBinaryOperator function) {
    return named(name, INTEGER, INTEGER)
        .is(
            a -> {
              long divisor = SqlNumbers.integer(a[1]);
              return divisor == 0
                  ? Value.MISSING
                  : Value.of(function.applyAsLong(SqlNumbers.integer(a[0]), divisor));
            });
  }

  private static Function shifted(String name, LongBinaryOperator function) {
    return named(name, INTEGER, INTEGER)
        .is(
            a -> {
              long places = SqlNumbers.integer(a[1]);
              return places < 0 || places >= Long.SIZE
                  ? Value.MISSING
                  : Value.of(function.applyAsLong(SqlNumbers.integer(a[0]), places));
            });
  }

  private static Value abs(Value[] arguments) {
    Value number = arguments[0];
    boolean exact = SqlNumbers.exact(number) && number.asLong() != Long.MIN_VALUE;
    return exact ? Value.of(Math.abs(number.asLong())) : Value.of(Math.abs(number.asDouble()));
  }

  private static Value sign(double number) {
    return Double.isNaN(number) ? Value.of(number) : Value.of((int) Math.signum(number));
  }

  private static Value log(Value[] arguments) {
    double logarithm = Math.log(arguments[0].asDouble());
    return SqlNumbers.finite(
        arguments.length > 1 ? logarithm / Math.log(arguments[1].asDouble()) : logarithm);
  }

  private static Value bin(Value[] arguments) {
    double size = arguments.length > 1 ? arguments[1].asDouble() : 1;
    return SqlNumbers.finite(Math.floor(arguments[0].asDouble() / size) * size);
  }

  private static Value round(Value[] arguments) {
    Value number = arguments[0];
    int places = arguments.length > 1 ? SqlNumbers.count(arguments[1]) : 0;
    if ((places >= 0 && SqlNumbers.exact(number)) || !Double.isFinite(number.asDouble())) {
      return number;
    }
    return places == 0 ? Value.of(round(number.asDouble())) : round(number, places);
  }

  /** Rounds to {@code places} after the decimal point; before it if negative. */
  private static Value round(Value number, int places) {
    if (places > MAX_PLACES || places < -MAX_PLACES) {
      return places > 0 ? number : Value.of(0);
    }
    boolean exact = SqlNumbers.exact(number);
    BigDecimal all =
        exact ? BigDecimal.valueOf(number.asLong()) : new BigDecimal(number.asDouble());
    BigDecimal rounded = all.setScale(places, RoundingMode.HALF_UP);
    return exact && rounded.precision() - rounded.scale() < LONG_DIGITS
        ? Value.of(rounded.longValue())
        : SqlNumbers.finite(rounded.doubleValue());
  }

  /** Rounds to the nearest integer; halves away from zero. */
  private static double round(double number) {
    double truncated = truncated(number);
    boolean nearerZero = Math.abs(number - truncated) < 0.5;
    return nearerZero ? truncated : truncated + Math.signum(number);
  }

  private static double truncated(double number) {
    return number < 0 ? Math.ceil(number) : Math.floor(number);
  }
}
