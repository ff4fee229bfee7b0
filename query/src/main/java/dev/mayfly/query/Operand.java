package dev.mayfly.query;

import dev.mayfly.value.Brackets;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/** Constant of a comparison, compared with values in a buffer. */
final class Operand {
  /** The result of {@link #compare} if exactly one side is NaN: no ordering operator holds. */
  static final int UNORDERED = Integer.MIN_VALUE;

  private static final Value NAN = Value.of(Double.NaN);

  private final Value value;
  private final Order order;
  private final byte bracket;
  private final boolean isNaN;

  Operand(Value value, Order order) {
    this.value = value;
    this.order = order;
    this.bracket = Brackets.low(value.type(), order);
    this.isNaN = value.isNaN();
  }

  Type type() {
    return value.type();
  }

  /** Returns whether values of this type are compared with the constant by value. */
  boolean comparable(Type type) {
    return Brackets.low(type, order) == bracket;
  }

  /** Returns the sign of (value - constant), for a value of a comparable type. */
  int compare(Type type, byte[] buffer, int offset) {
    int sign =
        Integer.signum(
            order.compare(type, buffer, offset, value.type(), value.buffer(), value.offset()));
    // NaN sorts below all numbers, so only an unequal pair can contain one.
    return sign != 0 && type.number() && (isNaN || isNaN(type, buffer, offset)) ? UNORDERED : sign;
  }

  private boolean isNaN(Type type, byte[] buffer, int offset) {
    return (type == Type.DOUBLE || type == Type.DECIMAL128)
        && order.compare(type, buffer, offset, NAN.type(), NAN.buffer(), NAN.offset()) == 0;
  }
}
