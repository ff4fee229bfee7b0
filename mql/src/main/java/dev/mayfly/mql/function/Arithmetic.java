package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Operands;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/**
 * Arithmetic on numbers and dates.
 *
 * <p>The result has the widest type among the operands: int, long, double, decimal. Ints whose
 * result does not fit become long, longs become double. Null or missing operands make the result
 * null, unless an operand of a wrong type comes first.
 */
public final class Arithmetic {
  private static final int TYPE_MISMATCH = 14;
  private static final int OVERFLOW = 15;

  private Arithmetic() {}

  /**
   * Returns the sum; with one date among the operands, a date later by that number of milliseconds.
   */
  public static Value add(Value[] operands) {
    Sum sum = new Sum();
    for (Value operand : operands) {
      if (Truthiness.nullish(operand)) {
        return Value.NULL;
      }
      sum.add(operand);
    }
    return sum.result();
  }

  /** Returns the sum of two operands. */
  public static Value add(Value left, Value right) {
    if (left.type() == Type.INT32 && right.type() == Type.INT32) {
      return Operands.intOrLong(left.asLong() + right.asLong());
    }
    return add(new Value[] {left, right});
  }

  /** Returns the difference: milliseconds between dates, or a date minus milliseconds. */
  public static Value subtract(Value left, Value right) {
    if (left.isNumber() && right.isNumber()) {
      return difference(left, right);
    }
    if (left.type() != Type.DATE) {
      throw cannotSubtract(right, Operands.typeName(left));
    }
    if (right.type() == Type.DATE) {
      return Value.of(left.asDate() - right.asDate());
    }
    if (!right.isNumber()) {
      throw cannotSubtract(right, "Date");
    }
    try {
      return Value.date(Math.subtractExact(left.asDate(), milliseconds(right)));
    } catch (ArithmeticException _) {
      throw dateOverflow();
    }
  }

  /** Returns the product. */
  public static Value multiply(Value[] operands) {
    Product product = new Product();
    for (Value operand : operands) {
      if (Truthiness.nullish(operand)) {
        return Value.NULL;
      }
      product.multiply(operand);
    }
    return product.result();
  }

  /** Returns the quotient: a decimal if an operand is one, else a double. */
  public static Value divide(Value left, Value right) {
    requireNumbers(left, right, TYPE_MISMATCH);
    if (Decimals.isZero(right)) {
      throw Operands.badValue(2, "can't {} by zero");
    }
    return isDecimal(left, right)
        ? Decimals.divide(left, right)
        : Value.of(left.asDouble() / right.asDouble());
  }

  /** Returns the remainder of a division towards zero; it has the sign of the dividend. */
  public static Value mod(Value left, Value right) {
    requireNumbers(left, right, 16611);
    boolean decimal = isDecimal(left, right);
    if (Decimals.isZero(right)) {
      throw Operands.badValue(decimal ? 5733415 : 16610, "can't {} by zero");
    }
    if (decimal) {
      return Decimals.remainder(left, right);
    }
    return switch (Operands.wider(left.type(), right.type())) {
      case DOUBLE -> Value.of(left.asDouble() % right.asDouble());
      case INT64 -> Value.of(left.asLong() % right.asLong());
      default -> Value.of((int) (left.asLong() % right.asLong()));
    };
  }

  private static Value difference(Value left, Value right) {
    return switch (Operands.wider(left.type(), right.type())) {
      case INT32 -> Operands.intOrLong(left.asLong() - right.asLong());
      case INT64 -> longDifference(left.asLong(), right.asLong());
      case DOUBLE -> Value.of(left.asDouble() - right.asDouble());
      default -> Decimals.subtract(left, right);
    };
  }

  private static Value longDifference(long left, long right) {
    long difference = left - right;
    boolean overflow = ((left ^ right) & (left ^ difference)) < 0;
    return overflow ? Value.of((double) left - (double) right) : Value.of(difference);
  }

  private static boolean isDecimal(Value left, Value right) {
    return left.type() == Type.DECIMAL128 || right.type() == Type.DECIMAL128;
  }

  private static void requireNumbers(Value left, Value right, int number) {
    if (!left.isNumber() || !right.isNumber()) {
      throw Operands.wrongType(
          number,
          "{} only supports numeric types, not "
              + Operands.typeName(left)
              + " and "
              + Operands.typeName(right));
    }
  }

  /** Rounds a number to whole milliseconds, halves away from zero. */
  private static long milliseconds(Value number) {
    return switch (number.type()) {
      case INT32, INT64 -> number.asLong();
      case DOUBLE -> {
        double millis = number.asDouble();
        if (!(millis >= -0x1p63 && millis < 0x1p63)) {
          throw dateOverflow();
        }
        yield millis < 0 ? -Math.round(-millis) : Math.round(millis);
      }
      default -> {
        Value rounded = number.isFinite() ? Rounding.round(number, 0) : number;
        if (!Operands.integral64(rounded)) {
          throw dateOverflow();
        }
        yield rounded.asLong();
      }
    };
  }

  private static RuntimeException dateOverflow() {
    return Operands.overflow(OVERFLOW, "date overflow");
  }

  private static RuntimeException cannotSubtract(Value right, String left) {
    return Operands.wrongType(
        TYPE_MISMATCH, "can't {} " + Operands.typeName(right) + " from " + left);
  }

  /** Running sum: exact for integers while a long holds them. */
  private static final class Sum {
    private Type type = Type.INT32;
    private long whole;
    private double real;
    private Value decimal = Decimals.ZERO;
    private boolean date;

    void add(Value operand) {
      if (operand.type() == Type.DATE) {
        startDate();
        addMillis(operand.asDate());
      } else if (!operand.isNumber()) {
        throw Operands.wrongType(
            TYPE_MISMATCH,
            "{} only supports numeric or date types, not " + Operands.typeName(operand));
      } else if (date) {
        addMillis(milliseconds(operand));
      } else {
        addNumber(operand);
      }
    }

    Value result() {
      if (date) {
        return Value.date(whole);
      }
      return switch (type) {
        case INT32 -> Operands.intOrLong(whole);
        case INT64 -> Value.of(whole);
        case DOUBLE -> Value.of(real);
        default -> decimal;
      };
    }

    private void startDate() {
      if (date) {
        throw Operands.badValue(16612, "only one date allowed in an {} expression");
      }
      whole = milliseconds(result());
      date = true;
    }

    private void addMillis(long millis) {
      try {
        whole = Math.addExact(whole, millis);
      } catch (ArithmeticException _) {
        throw dateOverflow();
      }
    }

    private void addNumber(Value operand) {
      Type wider = Operands.wider(type, operand.type());
      if (wider != type) {
        widen(wider);
      }
      switch (type) {
        case INT32, INT64 -> addWhole(operand.asLong());
        case DOUBLE -> real += operand.asDouble();
        default -> decimal = Decimals.add(decimal, operand);
      }
    }

    private void widen(Type wider) {
      if (wider == Type.DOUBLE) {
        real = whole;
      } else if (wider == Type.DECIMAL128) {
        decimal = Decimals.of(result());
      }
      type = wider;
    }

    private void addWhole(long operand) {
      long sum = whole + operand;
      if (((whole ^ sum) & (operand ^ sum)) < 0) {
        type = Type.DOUBLE;
        real = (double) whole + (double) operand;
      } else {
        whole = sum;
      }
    }
  }

  /** Running product: exact for integers while a long holds them. */
  private static final class Product {
    private Type type = Type.INT32;
    private long whole = 1;
    private double real = 1;
    private Value decimal = Decimals.ZERO;

    void multiply(Value operand) {
      Operands.requireNumber(operand, TYPE_MISMATCH, "{} only supports numeric types, not ");
      Type wider = Operands.wider(type, operand.type());
      if (wider == Type.DECIMAL128) {
        decimal = Decimals.multiply(Decimals.of(result()), operand);
        type = wider;
        return;
      }
      type = wider;
      real *= operand.asDouble();
      if (type != Type.DOUBLE) {
        multiplyWhole(operand.asLong());
      }
    }

    Value result() {
      return switch (type) {
        case INT32 -> Operands.intOrLong(whole);
        case INT64 -> Value.of(whole);
        case DOUBLE -> Value.of(real);
        default -> decimal;
      };
    }

    private void multiplyWhole(long operand) {
      long high = Math.multiplyHigh(whole, operand);
      long low = whole * operand;
      if (high == low >> 63) {
        whole = low;
      } else {
        type = Type.DOUBLE;
      }
    }
  }
}
