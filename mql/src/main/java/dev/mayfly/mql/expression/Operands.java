package dev.mayfly.mql.expression;

import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.math.BigDecimal;

/** Validation of operands. */
public final class Operands {
  private Operands() {}

  /** Returns whether the value is an integral number in the range of int, of any type. */
  public static boolean integral(Value value) {
    return integral64(value)
        && value.asLong() >= Integer.MIN_VALUE
        && value.asLong() <= Integer.MAX_VALUE;
  }

  /** Returns whether the value is an integral number in the range of long, of any type. */
  public static boolean integral64(Value value) {
    return switch (value.type()) {
      case INT32, INT64 -> true;
      case DOUBLE -> wholeDouble(value.asDouble());
      case DECIMAL128 -> wholeDecimal(value);
      default -> false;
    };
  }

  /** Returns the number as int if it fits, else as long. */
  public static Value intOrLong(long number) {
    int narrow = (int) number;
    return narrow == number ? Value.of(narrow) : Value.of(number);
  }

  /** Returns the wider of two numeric types: int, long, double, decimal. */
  public static Type wider(Type left, Type right) {
    return width(left) >= width(right) ? left : right;
  }

  public static String typeName(Value value) {
    return TypeNames.of(value.type());
  }

  public static QueryException wrongType(int number, String message) {
    return new QueryException(Reason.WRONG_TYPE, number, message);
  }

  public static QueryException badValue(int number, String message) {
    return new QueryException(Reason.BAD_VALUE, number, message);
  }

  public static QueryException overflow(int number, String message) {
    return new QueryException(Reason.OVERFLOW, number, message);
  }

  /** Fails with the error number and message unless the value is a number. */
  public static void requireNumber(Value value, int number, String message) {
    if (!value.isNumber()) {
      throw wrongType(number, message + typeName(value));
    }
  }

  public static void requireArray(Value value, int number, String message) {
    if (!value.isArray()) {
      throw wrongType(number, message + typeName(value));
    }
  }

  /** Returns the text of a string; fails with the error number and message for other types. */
  public static String requireString(Value value, int number, String message) {
    if (value.type() != Type.STRING) {
      throw wrongType(number, message + typeName(value));
    }
    return value.asString();
  }

  private static int width(Type type) {
    return switch (type) {
      case INT32 -> 0;
      case INT64 -> 1;
      case DOUBLE -> 2;
      default -> 3;
    };
  }

  private static boolean wholeDouble(double number) {
    return number == Math.rint(number) && number >= -0x1p63 && number < 0x1p63;
  }

  private static boolean wholeDecimal(Value value) {
    if (!value.isFinite() || Math.abs(value.asDouble()) > 0x1p63) {
      return false;
    }
    return value.asDecimal().compareTo(BigDecimal.valueOf(value.asLong())) == 0;
  }
}
