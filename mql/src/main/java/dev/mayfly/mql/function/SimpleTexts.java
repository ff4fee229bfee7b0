package dev.mayfly.mql.function;

import dev.mayfly.value.Value;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;

/** String forms of simple values. */
final class SimpleTexts {
  /** Power of ten from which doubles have an exponent. */
  private static final int LARGE = 16;

  private static final int SMALL = -5;
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("MMM ppd HH:mm:ss", Locale.ENGLISH).withZone(ZoneOffset.UTC);

  private static final MathContext SIX_DIGITS = new MathContext(6, RoundingMode.HALF_EVEN);

  private SimpleTexts() {}

  /** Formats a number, string, boolean, date, timestamp or ObjectId. */
  static String of(Value value) {
    return switch (value.type()) {
      case INT32, INT64 -> Long.toString(value.asLong());
      case DOUBLE -> ofDouble(value.asDouble());
      case DECIMAL128 -> ofDecimal(value);
      case STRING, SYMBOL, CODE -> value.asString();
      case BOOLEAN -> value.asBoolean() ? "true" : "false";
      case DATE -> DateFormat.iso(value.asDate());
      case TIMESTAMP ->
          "Timestamp("
              + Integer.toUnsignedString((int) (value.asTimestamp() >>> 32))
              + ", "
              + Integer.toUnsignedString((int) value.asTimestamp())
              + ")";
      case OBJECT_ID -> HexFormat.of().formatHex(value.asObjectId());
      default -> value.toString();
    };
  }

  /** Formats a timestamp like C's ctime, without weekday and year, followed by its increment. */
  static String moment(Value timestamp) {
    Instant instant = Instant.ofEpochSecond(timestamp.asTimestamp() >>> 32);
    return MOMENT.format(instant) + ":" + Integer.toUnsignedString((int) timestamp.asTimestamp());
  }

  static String ofDouble(double number) {
    if (number == 0) {
      return 1 / number < 0 ? "-0" : "0";
    }
    if (!Double.isFinite(number)) {
      return Double.isNaN(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
    }
    return written(new BigDecimal(Double.toString(number)), LARGE);
  }

  /** Formats a double with six digits, like C's default. */
  static String sixDigits(double number) {
    if (number == 0) {
      return 1 / number < 0 ? "-0" : "0";
    }
    if (!Double.isFinite(number)) {
      return Double.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
    }
    return written(new BigDecimal(number).round(SIX_DIGITS), SIX_DIGITS.getPrecision());
  }

  /**
   * Formats without trailing zeros; with an exponent from this power of ten on, and for tiny
   * numbers.
   */
  private static String written(BigDecimal number, int large) {
    BigDecimal shortest = number.stripTrailingZeros();
    int exponent = shortest.precision() - shortest.scale() - 1;
    return exponent >= large || exponent <= SMALL
        ? scientific(shortest, exponent)
        : shortest.toPlainString();
  }

  private static String scientific(BigDecimal number, int exponent) {
    String mantissa = number.movePointLeft(exponent).toPlainString();
    String digits = Math.abs(exponent) < 10 ? "0" + Math.abs(exponent) : "" + Math.abs(exponent);
    return mantissa + (exponent < 0 ? "e-" : "e+") + digits;
  }

  private static String ofDecimal(Value number) {
    if (number.isFinite()) {
      BigDecimal finite = number.asDecimal();
      boolean negativeZero = finite.signum() == 0 && Decimals.isNegative(number.asDouble());
      return negativeZero ? "-" + finite : finite.toString();
    }
    return number.isNaN() ? "NaN" : number.asDouble() > 0 ? "Infinity" : "-Infinity";
  }
}
