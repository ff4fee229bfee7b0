package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Operands;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.query.TextSearch;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;

/** Search and trim functions of strings. */
public final class StringSearch {
  /** Default characters to trim: NUL and Unicode whitespace. */
  private static final String WHITESPACE =
      "\0\t\n\u000B\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
          + "\u200A";

  private StringSearch() {}

  /** The ends of a string to trim. */
  public enum Side {
    LEFT,
    RIGHT,
    BOTH
  }

  /**
   * Operands: string, substring, optionally start byte and end byte (exclusive). Returns -1 if not
   * found.
   */
  public static Value indexOfBytes(Value[] operands) {
    if (Truthiness.nullish(operands[0])) {
      return Value.NULL;
    }
    byte[] text = searched(operands[0], 40091).getBytes(StandardCharsets.UTF_8);
    byte[] token = token(operands[1], 40092).getBytes(StandardCharsets.UTF_8);
    int from = bound(operands, 2, "starting index", 0);
    int to = Math.min(bound(operands, 3, "ending index", text.length), text.length);
    Interrupt interrupt = Interrupt.current();
    int steps = Interrupt.ofBytes(token.length);
    for (int at = from; at <= to - token.length; at++) {
      interrupt.step(steps);
      if (matches(text, at, token)) {
        return Value.of(at);
      }
    }
    return Value.of(-1);
  }

  /**
   * Operands: string, substring, optionally start and end (exclusive) in code points. Returns -1 if
   * not found.
   */
  public static Value indexOfCodePoints(Value[] operands) {
    if (Truthiness.nullish(operands[0])) {
      return Value.NULL;
    }
    String text = searched(operands[0], 40093);
    String token = token(operands[1], 40094);
    int count = text.codePointCount(0, text.length());
    int from = bound(operands, 2, "starting index", 0);
    int to = Math.min(bound(operands, 3, "ending index", count), count);
    if (from > to) {
      return Value.of(-1);
    }
    int start = text.offsetByCodePoints(0, from);
    int end = text.offsetByCodePoints(start, to - from);
    int at = TextSearch.first(text, token, start, end);
    return Value.of(at < 0 ? -1 : text.codePointCount(0, at));
  }

  /** Trims whitespace at these ends. */
  public static Value trim(Value operand, Side side) {
    return Value.of(trim(trimmed(operand), WHITESPACE, side));
  }

  /** Trims these characters at these ends. */
  public static Value trim(Value operand, Value characters, Side side) {
    String text = trimmed(operand);
    if (characters.type() != Type.STRING) {
      throw Operands.wrongType(
          50700,
          "{} requires 'chars' to be a string, got "
              + characters
              + " (of type "
              + Operands.typeName(characters)
              + ") instead.");
    }
    return Value.of(trim(text, characters.asString(), side));
  }

  private static String trim(String text, String characters, Side side) {
    int from = 0;
    int to = text.length();
    while (side != Side.RIGHT && from < to && has(characters, text.codePointAt(from))) {
      from += Character.charCount(text.codePointAt(from));
    }
    while (side != Side.LEFT && from < to && has(characters, text.codePointBefore(to))) {
      to -= Character.charCount(text.codePointBefore(to));
    }
    return text.substring(from, to);
  }

  private static boolean has(String characters, int codePoint) {
    Interrupt.steps(Interrupt.ofBytes(characters.length()));
    return characters.indexOf(codePoint) >= 0;
  }

  private static String trimmed(Value operand) {
    if (operand.type() != Type.STRING) {
      throw Operands.wrongType(
          50699,
          "{} requires its input to be a string, got "
              + operand
              + " (of type "
              + Operands.typeName(operand)
              + ") instead.");
    }
    return operand.asString();
  }

  private static boolean matches(byte[] text, int at, byte[] token) {
    for (int i = 0; i < token.length; i++) {
      if (text[at + i] != token[i]) {
        return false;
      }
    }
    return true;
  }

  private static String searched(Value operand, int number) {
    return Operands.requireString(
        operand, number, "{} requires a string as the first argument, found: ");
  }

  private static String token(Value operand, int number) {
    return Operands.requireString(
        operand, number, "{} requires a string as the second argument, found: ");
  }

  /** Returns the index in an optional operand. */
  static int bound(Value[] operands, int i, String what, int otherwise) {
    if (i >= operands.length) {
      return otherwise;
    }
    Value bound = operands[i];
    if (!Operands.integral(bound)) {
      throw Operands.badValue(
          40096,
          "{} requires an integral "
              + what
              + ", found a value of type: "
              + Operands.typeName(bound)
              + ", with value: "
              + bound);
    }
    if (bound.asInt() < 0) {
      throw Operands.badValue(40097, "{} requires a nonnegative " + what + ", found: " + bound);
    }
    return bound.asInt();
  }
}
