package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Operands;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.ZoneOffset;
import java.util.HexFormat;

/**
 * Conversions between types.
 *
 * <p>Conversion to an integer truncates. A value that does not fit, or has no meaning in the target
 * type, is a CONVERSION_FAILURE.
 */
public final class Conversions {
  static final int FAILURE = 241;
  private static final String UNHANDLED = " in {} with no onError value";

  private Conversions() {}

  /** Converts a value that is neither null nor missing. */
  public static Value to(Type target, Value value) {
    if (value.type() == target) {
      return value;
    }
    return switch (target) {
      case INT32 -> Value.of((int) whole(value, target, Integer.MIN_VALUE, Integer.MAX_VALUE));
      case INT64 -> Value.of(whole(value, target, Long.MIN_VALUE, Long.MAX_VALUE));
      case DOUBLE -> toDouble(value);
      case DECIMAL128 -> toDecimal(value);
      case BOOLEAN -> Value.of(Truthiness.truthy(value));
      case STRING -> toText(value);
      case DATE -> toDate(value);
      case OBJECT_ID -> toObjectId(value);
      default -> throw unsupported(value, target);
    };
  }

  static QueryException failure(String message) {
    return new QueryException(Reason.CONVERSION_FAILURE, FAILURE, message);
  }

  static QueryException unsupported(Value value, Type target) {
    return failure(
        "Unsupported conversion from "
            + Operands.typeName(value)
            + " to "
            + TypeNames.of(target)
            + UNHANDLED);
  }

  private static long whole(Value value, Type target, long least, long most) {
    return switch (value.type()) {
      case INT32, INT64 -> within(BigDecimal.valueOf(value.asLong()), least, most, value);
      case DOUBLE, DECIMAL128 -> within(finite(value, "integer type"), least, most, value);
      case BOOLEAN -> value.asBoolean() ? 1 : 0;
      case STRING -> parseWhole(value.asString(), least, most);
      case DATE -> {
        if (target == Type.INT32) {
          throw unsupported(value, target);
        }
        yield value.asDate();
      }
      default -> throw unsupported(value, target);
    };
  }

  private static BigDecimal finite(Value value, String what) {
    if (value.isNaN()) {
      throw failure("Attempt to convert NaN value to " + what + UNHANDLED);
    }
    if (!value.isFinite()) {
      throw failure("Attempt to convert infinity value to " + what + UNHANDLED);
    }
    return value.asDecimal();
  }

  private static long within(BigDecimal number, long least, long most, Value value) {
    // Compared without the fraction: 2147483647.9 still fits an int. The magnitude is checked
    // first, so that 1e6000 is not expanded.
    boolean huge = number.precision() - number.scale() > 20;
    if (huge
        || number.toBigInteger().compareTo(BigInteger.valueOf(least)) < 0
        || number.toBigInteger().compareTo(BigInteger.valueOf(most)) > 0) {
      throw failure(
          "Conversion would overflow target type" + UNHANDLED + ": " + SimpleTexts.of(value));
    }
    return number.longValue();
  }

  /** Rejects hexadecimal digits, which Java would accept. */
  private static void refuseHexadecimal(String text) {
    if (text.startsWith("0x")) {
      throw failure("Illegal hexadecimal input" + UNHANDLED + ": " + text);
    }
  }

  private static long parseWhole(String text, long least, long most) {
    refuseHexadecimal(text);
    long number;
    try {
      number = Long.parseLong(text);
    } catch (NumberFormatException _) {
      throw unparsed(text, text.isEmpty() ? "No digits" : "Did not consume whole string.");
    }
    if (number < least || number > most) {
      throw unparsed(text, "Overflow");
    }
    return number;
  }

  private static Value toDouble(Value value) {
    return switch (value.type()) {
      case INT32, INT64 -> Value.of(value.asDouble());
      case DECIMAL128 -> {
        double nearest = value.asDouble();
        if (value.isFinite() && !Double.isFinite(nearest)) {
          throw failure(
              "Conversion would overflow target type" + UNHANDLED + ": " + SimpleTexts.of(value));
        }
        yield Value.of(nearest);
      }
      case BOOLEAN -> Value.of(value.asBoolean() ? 1.0 : 0.0);
      case DATE -> Value.of((double) value.asDate());
      case STRING -> parseDouble(value.asString());
      default -> throw unsupported(value, Type.DOUBLE);
    };
  }

  private static Value parseDouble(String text) {
    Value decimal = parseNumber(text);
    double nearest = decimal.isFinite() ? Double.parseDouble(text) : decimal.asDouble();
    if (decimal.isFinite() && Double.isInfinite(nearest)) {
      throw unparsed(text, "Out of range");
    }
    return Value.of(nearest);
  }

  private static Value toDecimal(Value value) {
    return switch (value.type()) {
      case INT32, INT64, DOUBLE -> Decimals.of(value);
      case BOOLEAN -> Value.decimal(value.asBoolean() ? BigDecimal.ONE : BigDecimal.ZERO);
      case DATE -> Value.decimal(BigDecimal.valueOf(value.asDate()));
      case STRING -> parseNumber(value.asString());
      default -> throw unsupported(value, Type.DECIMAL128);
    };
  }

  private static Value parseNumber(String text) {
    refuseHexadecimal(text);
    try {
      return Value.decimal(text);
    } catch (ValueException _) {
      return parseRounded(text);
    }
  }

  /** Rounds excess digits of a decimal; fails if the text is not a number. */
  private static Value parseRounded(String text) {
    try {
      if (text.length() <= 1_000 && text.strip().equals(text)) {
        return Value.decimal(new BigDecimal(text));
      }
    } catch (NumberFormatException _) {
      // Reported below, like all other texts that are not numbers.
    }
    throw unparsed(text, "Did not consume whole string.");
  }

  private static QueryException unparsed(String text, String why) {
    return failure("Failed to parse number '" + text + "'" + UNHANDLED + ": " + why);
  }

  private static Value toText(Value value) {
    return switch (value.type()) {
      case INT32, INT64, DOUBLE, DECIMAL128, BOOLEAN, DATE, OBJECT_ID ->
          Value.of(SimpleTexts.of(value));
      default -> throw unsupported(value, Type.STRING);
    };
  }

  private static Value toDate(Value value) {
    return switch (value.type()) {
      case INT64 -> Value.date(value.asLong());
      case DOUBLE, DECIMAL128 ->
          Value.date(within(finite(value, "integer type"), Long.MIN_VALUE, Long.MAX_VALUE, value));
      case STRING -> Value.date(DateReader.parse(value.asString(), ZoneOffset.UTC));
      case OBJECT_ID, TIMESTAMP -> Value.date(Dates.millis(value));
      default -> throw unsupported(value, Type.DATE);
    };
  }

  private static Value toObjectId(Value value) {
    if (value.type() != Type.STRING) {
      throw unsupported(value, Type.OBJECT_ID);
    }
    String text = value.asString();
    String problem =
        text.length() == 24
            ? "Invalid character found in hex string"
            : "Invalid string length for parsing to OID, expected 24 but found " + text.length();
    try {
      if (text.length() == 24) {
        return Value.objectId(HexFormat.of().parseHex(text));
      }
    } catch (IllegalArgumentException _) {
      // Reported below, with the length, which is wrong more often.
    }
    throw failure("Failed to parse objectId '" + text + "'" + UNHANDLED + ": " + problem);
  }
}
