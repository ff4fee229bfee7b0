package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Operands;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.function.LongBinaryOperator;

/** Bitwise functions: the result is an int if all operands are ints, else a long. */
public final class Bits {
  private Bits() {}

  public static Value and(Value[] operands) {
    return fold(operands, -1, (a, b) -> a & b);
  }

  public static Value or(Value[] operands) {
    return fold(operands, 0, (a, b) -> a | b);
  }

  public static Value xor(Value[] operands) {
    return fold(operands, 0, (a, b) -> a ^ b);
  }

  public static Value not(Value operand) {
    return switch (operand.type()) {
      case INT32 -> Value.of(~operand.asInt());
      case INT64 -> Value.of(~operand.asLong());
      case DOUBLE, DECIMAL128 ->
          throw Operands.wrongType(
              14, "{} only supports int and long, not: " + Operands.typeName(operand) + ".");
      default ->
          throw Operands.wrongType(
              28765, "{} only supports numeric types, not " + Operands.typeName(operand));
    };
  }

  private static Value fold(Value[] operands, long start, LongBinaryOperator operator) {
    long bits = start;
    boolean ints = true;
    for (Value operand : operands) {
      if (Truthiness.nullish(operand)) {
        return Value.NULL;
      }
      if (operand.type() != Type.INT32 && operand.type() != Type.INT64) {
        throw Operands.wrongType(14, "{} only supports int and long operands.");
      }
      ints &= operand.type() == Type.INT32;
      bits = operator.applyAsLong(bits, operand.asLong());
    }
    return ints ? Value.of((int) bits) : Value.of(bits);
  }
}
