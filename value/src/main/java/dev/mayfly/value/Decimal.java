package dev.mayfly.value;

import dev.mayfly.value.ValueException.Reason;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * IEEE 754-2008 decimal128 in its binary integer form: sign, exponent and a coefficient of up to 34
 * digits, given as two longs.
 */
final class Decimal {
  static final int MIN_EXPONENT = -6176;
  static final int MAX_EXPONENT = 6111;

  private static final int BIAS = 6176;
  private static final int DIGITS = 34;
  private static final long NAN = 0x7C00000000000000L;
  private static final long INFINITY = 0x7800000000000000L;
  private static final long SIGN = Long.MIN_VALUE;
  private static final long COEFFICIENT_HIGH = (1L << 49) - 1;
  private static final BigInteger LARGEST = BigInteger.TEN.pow(DIGITS).subtract(BigInteger.ONE);

  /** 10^34 - 1 as two halves: a coefficient above it counts as zero. */
  private static final long LARGEST_HIGH = LARGEST.shiftRight(64).longValue();

  private static final long LARGEST_LOW = LARGEST.longValue();

  private static final Pattern SYNTAX =
      Pattern.compile("[+-]?(\\d++(\\.\\d*+)?|\\.\\d++)([eE][+-]?\\d++)?");

  /** Maximum number of characters: more than any decimal needs, and safe to parse. */
  private static final int MAX_TEXT = 1_000;

  private Decimal() {}

  static boolean isNaN(long high) {
    return (high & NAN) == NAN;
  }

  static boolean isInfinite(long high) {
    return (high & NAN) == INFINITY;
  }

  static boolean isFinite(long high) {
    return (high & INFINITY) != INFINITY;
  }

  static boolean isNegative(long high) {
    return high < 0;
  }

  /** The power of ten of a finite decimal. */
  static int exponent(long high) {
    int shift = hasLongCoefficient(high) ? 47 : 49;
    return (int) (high >>> shift & 0x3FFF) - BIAS;
  }

  /** Returns whether the coefficient, canonical or not, is below 2^63, and so in {@link #small}. */
  static boolean isSmall(long high, long low) {
    return (coefficientHigh(high, low) | coefficientLow(high, low) >>> 63) == 0;
  }

  /** The coefficient with its sign; only if {@link #isSmall}. */
  static long small(long high, long low) {
    long coefficient = coefficientLow(high, low);
    return isNegative(high) ? -coefficient : coefficient;
  }

  /** The exact value of a finite decimal, with its scale. */
  static BigDecimal toBigDecimal(long high, long low) {
    return new BigDecimal(coefficient(high, low), -exponent(high));
  }

  static long toLong(long high, long low) {
    if (isNaN(high)) {
      return 0;
    }
    double nearest = toDouble(high, low);
    if (Math.abs(nearest) >= 0x1p64) {
      return (long) nearest;
    }
    if (isSmall(high, low) && exponent(high) == 0) {
      return small(high, low);
    }
    BigInteger whole = toBigDecimal(high, low).toBigInteger();
    if (whole.bitLength() > 63) {
      return whole.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return whole.longValue();
  }

  static double toDouble(long high, long low) {
    if (isNaN(high)) {
      return Double.NaN;
    }
    if (isInfinite(high)) {
      return isNegative(high) ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    double magnitude = Math.abs(toBigDecimal(high, low).doubleValue());
    return isNegative(high) ? -magnitude : magnitude;
  }

  /** The decimal nearest to the number. */
  static Value of(BigDecimal number) {
    BigDecimal rounded = number.round(MathContext.DECIMAL128);
    if (rounded.signum() == 0) {
      int exponent = Math.clamp(-(long) rounded.scale(), MIN_EXPONENT, MAX_EXPONENT);
      return of(BigInteger.ZERO, exponent);
    }
    long leading = (long) rounded.precision() - rounded.scale();
    if (leading > MAX_EXPONENT + DIGITS) {
      return Value.decimal(rounded.signum() < 0 ? INFINITY | SIGN : INFINITY, 0);
    }
    if (leading < MIN_EXPONENT) {
      return of(BigInteger.ZERO, MIN_EXPONENT);
    }
    if (-rounded.scale() < MIN_EXPONENT) {
      rounded = number.setScale(-MIN_EXPONENT, RoundingMode.HALF_EVEN);
    } else if (-rounded.scale() > MAX_EXPONENT) {
      // the coefficient has room for the zeros that the exponent cannot express
      rounded = rounded.setScale(-MAX_EXPONENT);
    }
    return of(rounded.unscaledValue(), -rounded.scale());
  }

  /**
   * The decimal that the text denotes: digits with point and exponent, NaN or an infinity.
   *
   * @throws ValueException MALFORMED if it is not a decimal, or cannot be represented without
   *     rounding
   */
  static Value of(String text) {
    if (text.length() > MAX_TEXT) {
      throw new ValueException(Reason.MALFORMED, "the text of a decimal is too long");
    }
    if (!isNumber(text)) {
      return special(text);
    }
    BigDecimal number;
    try {
      number = new BigDecimal(text);
    } catch (NumberFormatException _) {
      throw new ValueException(Reason.MALFORMED, "the exponent of a decimal is too large");
    }
    Value value = of(number);
    if (!value.isFinite() || value.asDecimal().compareTo(number) != 0) {
      throw new ValueException(Reason.MALFORMED, "the number does not fit a decimal");
    }
    boolean negativeZero = number.signum() == 0 && text.startsWith("-");
    return negativeZero ? Value.decimal(value.high() | SIGN, value.low()) : value;
  }

  /** Returns true for digits with an optional sign, point and exponent, in linear time. */
  static boolean isNumber(String text) {
    return SYNTAX.matcher(text).matches();
  }

  private static Value special(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "nan", "+nan", "-nan" -> Value.decimal(NAN, 0);
      case "inf", "infinity", "+inf", "+infinity" -> Value.decimal(INFINITY, 0);
      case "-inf", "-infinity" -> Value.decimal(INFINITY | SIGN, 0);
      default -> throw new ValueException(Reason.MALFORMED, "not a decimal number");
    };
  }

  /** Returns a text that {@link #of(String)} converts to the same decimal. */
  static String toString(long high, long low) {
    if (isNaN(high)) {
      return "NaN";
    }
    if (isInfinite(high)) {
      return isNegative(high) ? "-Infinity" : "Infinity";
    }
    BigDecimal number = toBigDecimal(high, low);
    return number.signum() == 0 && isNegative(high) ? "-" + number : number.toString();
  }

  private static Value of(BigInteger coefficient, int exponent) {
    BigInteger magnitude = coefficient.abs();
    long high = magnitude.shiftRight(64).longValue() | (long) (exponent + BIAS) << 49;
    return Value.decimal(coefficient.signum() < 0 ? high | SIGN : high, magnitude.longValue());
  }

  private static BigInteger coefficient(long high, long low) {
    if (isSmall(high, low)) {
      return BigInteger.valueOf(small(high, low));
    }
    byte[] bytes = new byte[16];
    BigEndian.int64(bytes, 0, coefficientHigh(high, low));
    BigEndian.int64(bytes, 8, coefficientLow(high, low));
    return new BigInteger(isNegative(high) ? -1 : 1, bytes);
  }

  private static long coefficientHigh(long high, long low) {
    return isCanonical(high, low) ? high & COEFFICIENT_HIGH : 0;
  }

  private static long coefficientLow(long high, long low) {
    return isCanonical(high, low) ? low : 0;
  }

  private static boolean isCanonical(long high, long low) {
    long upper = high & COEFFICIENT_HIGH;
    return !hasLongCoefficient(high)
        && (upper < LARGEST_HIGH
            || (upper == LARGEST_HIGH && Long.compareUnsigned(low, LARGEST_LOW) <= 0));
  }

  /** The form for coefficients of 114 bits, all of which are beyond 34 digits. */
  private static boolean hasLongCoefficient(long high) {
    return (high & 0x6000000000000000L) == 0x6000000000000000L;
  }
}
