package dev.mayfly.sql;

import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.function.DoubleBinaryOperator;

/**
 * Arithmetic on doubles, bitwise operators on 32 bits as in JavaScript, string concatenation.
 *
 * <p>Undefined if an operand has another type, or if JSON cannot represent the result.
 */
public final class Arithmetic {
  private Arithmetic() {}

  /** Binary operators, with their tokens. */
  public enum Operator {
    MULTIPLY("*"),
    DIVIDE("/"),
    REMAINDER("%"),
    ADD("+"),
    SUBTRACT("-"),
    SHIFT_LEFT("<<"),
    SHIFT_RIGHT(">>"),
    SHIFT_RIGHT_UNSIGNED(">>>"),
    AND("&"),
    XOR("^"),
    OR("|"),
    JOIN("||");

    private final String symbol;

    Operator(String symbol) {
      this.symbol = symbol;
    }

    public String symbol() {
      return symbol;
    }
  }

  public static Scalar of(Operator operator, Scalar left, Scalar right) {
    return switch (operator) {
      case MULTIPLY -> numbers(left, right, (a, b) -> a * b);
      case DIVIDE -> numbers(left, right, (a, b) -> a / b);
      case REMAINDER -> numbers(left, right, (a, b) -> a % b);
      case ADD -> numbers(left, right, Double::sum);
      case SUBTRACT -> numbers(left, right, (a, b) -> a - b);
      case SHIFT_LEFT -> numbers(left, right, (a, b) -> int32(a) << int32(b));
      case SHIFT_RIGHT -> numbers(left, right, (a, b) -> int32(a) >> int32(b));
      case SHIFT_RIGHT_UNSIGNED ->
          numbers(left, right, (a, b) -> Integer.toUnsignedLong(int32(a) >>> int32(b)));
      case AND -> numbers(left, right, (a, b) -> int32(a) & int32(b));
      case XOR -> numbers(left, right, (a, b) -> int32(a) ^ int32(b));
      case OR -> numbers(left, right, (a, b) -> int32(a) | int32(b));
      case JOIN -> row -> joined(left.evaluate(row), right.evaluate(row));
    };
  }

  /** Returns the negated number. */
  public static Scalar negation(Scalar operand) {
    return row -> {
      Value value = operand.evaluate(row);
      return value.isNumber() ? number(-value.asDouble()) : Value.MISSING;
    };
  }

  /** Returns the number itself. */
  public static Scalar identity(Scalar operand) {
    return row -> {
      Value value = operand.evaluate(row);
      return value.isNumber() ? value : Value.MISSING;
    };
  }

  /** Returns the bitwise complement in 32 bits. */
  public static Scalar complement(Scalar operand) {
    return row -> {
      Value value = operand.evaluate(row);
      return value.isNumber() ? Value.of(~int32(value.asDouble())) : Value.MISSING;
    };
  }

  /** Returns a number as a value, an integer if possible; undefined if it is not finite. */
  static Value number(double number) {
    if (number == (int) number) {
      return Value.of((int) number);
    }
    if (!Double.isFinite(number)) {
      return Value.MISSING;
    }
    boolean integer = number == Math.rint(number) && Math.abs(number) < 0x1p63;
    return integer ? Value.of((long) number) : Value.of(number);
  }

  /** Returns the low 32 bits of the integer part, as in JavaScript. */
  static int int32(double number) {
    if (Math.abs(number) < 0x1p63) {
      return (int) (long) number;
    }
    return Double.isFinite(number) ? (int) (long) (number % 0x1p32) : 0;
  }

  private static Scalar numbers(Scalar left, Scalar right, DoubleBinaryOperator operator) {
    return row -> {
      Value a = left.evaluate(row);
      Value b = right.evaluate(row);
      return a.isNumber() && b.isNumber()
          ? number(operator.applyAsDouble(a.asDouble(), b.asDouble()))
          : Value.MISSING;
    };
  }

  private static Value joined(Value a, Value b) {
    return a.type() == Type.STRING && b.type() == Type.STRING
        ? Value.of(a.asString().concat(b.asString()))
        : Value.MISSING;
  }
}
