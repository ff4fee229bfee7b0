package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Operands;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.query.Intermediate;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.TextSearch;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;

/**
 * String functions.
 *
 * <p>Lengths and indexes count UTF-8 bytes or code points, as the name of the function indicates.
 * Upper and lower case are those of ASCII alone.
 */
public final class Strings {
  /** Maximum size in bytes of a string that an expression computes. */
  static final int MAX_BYTES = 64 << 20;

  private Strings() {}

  /** Concatenates strings; null if one is null or missing. */
  public static Value concat(Value[] operands) {
    StringBuilder joined = new StringBuilder();
    for (Value operand : operands) {
      if (Truthiness.nullish(operand)) {
        return Value.NULL;
      }
      joined.append(Operands.requireString(operand, 16702, "{} only supports strings, not "));
      requireRoom(joined.length());
    }
    return Value.of(joined.toString());
  }

  public static Value toLower(Value operand) {
    return Value.of(changeCase(text(operand), 'A', 'Z', 'a' - 'A'));
  }

  public static Value toUpper(Value operand) {
    return Value.of(upper(text(operand)));
  }

  /** Returns -1, 0 or 1: compares the strings in upper case. */
  public static Value compareIgnoringCase(Value left, Value right) {
    int sign = Order.MONGO.compare(Value.of(upper(text(left))), Value.of(upper(text(right))));
    return Value.of(Integer.signum(sign));
  }

  public static Value lengthInBytes(Value operand) {
    Operands.requireString(operand, 34473, "{} requires a string argument, found: ");
    return Value.of(operand.length() - 5);
  }

  public static Value lengthInCodePoints(Value operand) {
    String text = Operands.requireString(operand, 34471, "{} requires a string argument, found: ");
    return Value.of(text.codePointCount(0, text.length()));
  }

  /** Operands: string, start byte, number of bytes; a negative number means to the end. */
  public static Value substringInBytes(Value[] operands) {
    byte[] text = text(operands[0]).getBytes(StandardCharsets.UTF_8);
    String numeric = " must be a numeric type (is BSON type ";
    if (!operands[1].isNumber()) {
      throw Operands.wrongType(
          16034, "{}:  starting index" + numeric + Operands.typeName(operands[1]) + ")");
    }
    if (!operands[2].isNumber()) {
      throw Operands.wrongType(
          16035, "{}:  length" + numeric + Operands.typeName(operands[2]) + ")");
    }
    long start = operands[1].asLong();
    if (start < 0) {
      throw Operands.badValue(
          50752, "{}:  starting index must be non-negative (got: " + start + ")");
    }
    return substringInBytes(text, start, operands[2].asLong());
  }

  /** Operands: string, start code point, number of code points. */
  public static Value substringInCodePoints(Value[] operands) {
    String text = text(operands[0]);
    int start = codePoints(operands[1], "starting index", 34450, 34451);
    int length = codePoints(operands[2], "length", 34452, 34453);
    if (length < 0) {
      throw Operands.badValue(34454, "{}: length must be a nonnegative integer.");
    }
    if (start < 0) {
      throw Operands.badValue(34455, "{}: the starting index must be nonnegative integer.");
    }
    int count = text.codePointCount(0, text.length());
    int from = text.offsetByCodePoints(0, Math.min(start, count));
    int taken = (int) Math.min(length, Math.max(0L, (long) count - start));
    return Value.of(text.substring(from, text.offsetByCodePoints(from, taken)));
  }

  /** Splits a string at separators. */
  public static Value split(Value operand, Value separator) {
    String text =
        Operands.requireString(
            operand,
            40085,
            "{} requires an expression that evaluates to a string as a first"
                + " argument, found: ");
    String divider =
        Operands.requireString(
            separator,
            40086,
            "{} requires an expression that evaluates to a string as a second"
                + " argument, found: ");
    if (divider.isEmpty()) {
      throw Operands.badValue(40087, "{} requires a non-empty separator");
    }
    DocumentWriter parts = Intermediate.writer();
    int from = 0;
    for (int at = TextSearch.first(text, divider);
        at >= 0;
        at = TextSearch.first(text, divider, from, text.length())) {
      parts.add(Value.of(text.substring(from, at)));
      from = at + divider.length();
    }
    parts.add(Value.of(text.substring(from)));
    return Value.array(parts.build());
  }

  /** Operands: string, substring, replacement of its first occurrence. Null if one is null. */
  public static Value replaceOne(Value[] operands) {
    if (incomplete(operands)) {
      return Value.NULL;
    }
    String text = operands[0].asString();
    String find = operands[1].asString();
    String replacement = operands[2].asString();
    int at = TextSearch.first(text, find);
    return at < 0
        ? operands[0]
        : Value.of(text.substring(0, at) + replacement + text.substring(at + find.length()));
  }

  /** Operands: string, substring, replacement of all its occurrences. Null if one is null. */
  public static Value replaceAll(Value[] operands) {
    if (incomplete(operands)) {
      return Value.NULL;
    }
    String text = operands[0].asString();
    String find = operands[1].asString();
    String replacement = operands[2].asString();
    long places = find.isEmpty() ? text.length() + 1L : text.length() / find.length();
    if (text.length() + places * replacement.length() > MAX_BYTES) {
      throw tooLarge();
    }
    return Value.of(
        find.isEmpty()
            ? between(text, replacement)
            : TextSearch.replaceAll(text, find, replacement));
  }

  /** Inserts a text before each character and after the last. */
  private static String between(String text, String other) {
    StringBuilder mixed = new StringBuilder();
    text.codePoints().forEach(point -> mixed.append(other).appendCodePoint(point));
    return mixed.append(other).toString();
  }

  /** Returns whether an operand is null or missing; fails first if one is of another type. */
  private static boolean incomplete(Value[] operands) {
    requireReplaceable(operands[0], "input", 51746);
    requireReplaceable(operands[1], "find", 51745);
    requireReplaceable(operands[2], "replacement", 51744);
    return Truthiness.nullish(operands[0])
        || Truthiness.nullish(operands[1])
        || Truthiness.nullish(operands[2]);
  }

  /**
   * Converts an operand to a string: numbers and dates have one; null and missing are empty. Unlike
   * {@code $toString}, it formats doubles with six digits and timestamps without a year.
   */
  static String text(Value operand) {
    return switch (operand.type()) {
      case STRING, SYMBOL, CODE -> operand.asString();
      case MISSING, NULL, UNDEFINED -> "";
      case DOUBLE -> SimpleTexts.sixDigits(operand.asDouble());
      case INT32, INT64, DECIMAL128, DATE -> SimpleTexts.of(operand);
      case TIMESTAMP -> SimpleTexts.moment(operand);
      default ->
          throw Operands.wrongType(
              16007, "can't convert from BSON type " + Operands.typeName(operand) + " to String");
    };
  }

  static void requireRoom(long length) {
    if (length > MAX_BYTES) {
      throw tooLarge();
    }
  }

  private static QueryException tooLarge() {
    return new QueryException(
        QueryException.Reason.LIMIT_EXCEEDED, 0, "{} would make a text that is too long");
  }

  private static void requireReplaceable(Value operand, String name, int number) {
    if (operand.type() != Type.STRING && !Truthiness.nullish(operand)) {
      throw Operands.wrongType(
          number, "{} requires that '" + name + "' be a string, found: " + operand);
    }
  }

  private static Value substringInBytes(byte[] text, long start, long length) {
    if (start < text.length && continues(text, start)) {
      throw Operands.badValue(
          28656, "{}:  Invalid range, starting index is a UTF-8 continuation byte.");
    }
    long end = length < 0 ? text.length : Math.min(text.length, start + length);
    if (end >= 0 && end < text.length && end > start && continues(text, end)) {
      throw Operands.badValue(
          28657, "{}:  Invalid range, ending index is in the middle of a UTF-8 character.");
    }
    if (start >= text.length || end < start) {
      return Value.of("");
    }
    return Value.of(new String(text, (int) start, (int) (end - start), StandardCharsets.UTF_8));
  }

  private static boolean continues(byte[] text, long at) {
    return (text[(int) at] & 0xC0) == 0x80;
  }

  private static int codePoints(Value operand, String what, int type, int range) {
    if (!operand.isNumber()) {
      throw Operands.wrongType(
          type,
          "{}: "
              + what
              + " must be a numeric type (is BSON type "
              + Operands.typeName(operand)
              + ")");
    }
    if (!Operands.integral(operand)) {
      throw Operands.badValue(
          range, "{}: " + what + " cannot be represented as a 32-bit integral value: " + operand);
    }
    return operand.asInt();
  }

  private static String upper(String text) {
    return changeCase(text, 'a', 'z', 'A' - 'a');
  }

  private static String changeCase(String text, char first, char last, int shift) {
    char[] changed = text.toCharArray();
    for (int i = 0; i < changed.length; i++) {
      char c = changed[i];
      if (c >= first && c <= last) {
        changed[i] = (char) (c + shift);
      }
    }
    return new String(changed);
  }
}
