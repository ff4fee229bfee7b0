package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Value;

/** Parser of integers: accepts any number type without a fraction that fits. */
public final class Integers {
  private static final double LIMIT = 0x1p63;

  private Integers() {}

  /** Parses an integer. */
  public static long of(String name, Value value, ErrorCode code, String context) {
    if (!value.isNumber()) {
      throw new CommandException(
          code, context + "Expected a number in: " + ShellText.field(name, value));
    }
    if (value.isNaN()) {
      throw new CommandException(
          code, context + "Expected an integer, but found NaN in: " + ShellText.field(name, value));
    }
    if (!value.isFinite() || Math.abs(value.asDouble()) > LIMIT) {
      throw new CommandException(
          code, context + "Cannot represent as a 64-bit integer: " + ShellText.field(name, value));
    }
    long number = value.asLong();
    if (value.asDecimal().stripTrailingZeros().scale() > 0) {
      throw new CommandException(
          code, context + "Expected an integer: " + ShellText.field(name, value));
    }
    return number;
  }

  /** Parses a non-negative integer. */
  public static long nonNegative(String name, Value value, ErrorCode code, String context) {
    long number = of(name, value, code, context);
    if (number < 0) {
      throw new CommandException(
          code, context + "Expected a non-negative number in: " + ShellText.field(name, value));
    }
    return number;
  }

  /** Parses a non-negative integer of 32 bits. */
  static int small(String name, Value value, ErrorCode code, String context) {
    long number = nonNegative(name, value, code, context);
    if (number > Integer.MAX_VALUE) {
      throw new CommandException(
          code, context + "Cannot represent as a 32-bit integer: " + ShellText.field(name, value));
    }
    return (int) number;
  }
}
