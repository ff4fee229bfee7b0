package dev.mayfly.sql;

import static dev.mayfly.sql.BuiltIn.named;
import static dev.mayfly.sql.Kind.ANYTHING;
import static dev.mayfly.sql.Kind.ARRAY;
import static dev.mayfly.sql.Kind.BOOLEAN;
import static dev.mayfly.sql.Kind.DEFINED;
import static dev.mayfly.sql.Kind.INTEGER;
import static dev.mayfly.sql.Kind.NUMBER;
import static dev.mayfly.sql.Kind.TEXT;

import dev.mayfly.query.TextSearch;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * String functions.
 *
 * <p>Lengths and indexes are in UTF-16 code units, starting at 0. Case is ignored character by
 * character.
 */
final class TextFunctions {
  /** Maximum length of a result of REPLICATE. */
  private static final int MAX_REPLICATED = 10_000;

  /** Maximum length of any result: a longer string does not fit into a reply. */
  private static final int MAX_LENGTH = 16 << 20;

  static final List<Function> ALL =
      List.of(
          named("CONCAT", TEXT, TEXT).orMore().is(TextFunctions::concat),
          named("CONTAINS", TEXT, TEXT, BOOLEAN).required(2).is(TextFunctions::contains),
          named("CONTAINS_ALL_CI", TEXT, ANYTHING).orMore().is(a -> containsAll(a, true)),
          named("CONTAINS_ALL_CS", TEXT, ANYTHING).orMore().is(a -> containsAll(a, false)),
          named("CONTAINS_ANY_CI", TEXT, ANYTHING).orMore().is(a -> containsAny(a, true)),
          named("CONTAINS_ANY_CS", TEXT, ANYTHING).orMore().is(a -> containsAny(a, false)),
          named("CONTAINSALLCI", TEXT, ANYTHING).orMore().is(a -> containsAll(a, true)),
          named("CONTAINSALLCS", TEXT, ANYTHING).orMore().is(a -> containsAll(a, false)),
          named("CONTAINSANYCI", TEXT, ANYTHING).orMore().is(a -> containsAny(a, true)),
          named("CONTAINSANYCS", TEXT, ANYTHING).orMore().is(a -> containsAny(a, false)),
          named("ENDSWITH", TEXT, TEXT, BOOLEAN).required(2).is(TextFunctions::endsWith),
          named("INDEX_OF", TEXT, TEXT, NUMBER).required(2).is(TextFunctions::indexOf),
          named("LASTINDEXOF", TEXT, TEXT, NUMBER).required(2).is(TextFunctions::lastIndexOf),
          named("LASTSUBSTRINGAFTER", TEXT, TEXT).is(a -> after(a, last(text(a, 0), text(a, 1)))),
          named("LASTSUBSTRINGBEFORE", TEXT, TEXT).is(a -> before(a, last(text(a, 0), text(a, 1)))),
          named("LEFT", TEXT, INTEGER).is(TextFunctions::left),
          named("LENGTH", TEXT).is(a -> Value.of(text(a, 0).length())),
          changed("LOWER", text -> text.toLowerCase(Locale.ROOT)),
          named("LTRIM", TEXT, TEXT).required(1).is(a -> trimmed(a, true, false)),
          named("REPLACE", TEXT, TEXT, TEXT).is(TextFunctions::replace),
          named("REPLICATE", TEXT, NUMBER).is(TextFunctions::replicate),
          changed("REVERSE", text -> new StringBuilder(text).reverse().toString()),
          named("RIGHT", TEXT, INTEGER).is(TextFunctions::right),
          named("RTRIM", TEXT, TEXT).required(1).is(a -> trimmed(a, false, true)),
          named("STARTSWITH", TEXT, TEXT, BOOLEAN).required(2).is(TextFunctions::startsWith),
          named("STRINGEQUALS", TEXT, TEXT, BOOLEAN).required(2).is(TextFunctions::equal),
          named("STRINGJOIN", ARRAY, TEXT).is(TextFunctions::join),
          named("STRINGSPLIT", TEXT, TEXT).is(TextFunctions::split),
          read("STRINGTOARRAY", ARRAY),
          read("STRINGTOBOOLEAN", BOOLEAN),
          named("STRINGTONULL", TEXT).is(a -> parsed(a).isNull() ? Value.NULL : Value.MISSING),
          read("STRINGTONUMBER", NUMBER),
          read("STRINGTOOBJECT", Kind.OBJECT),
          named("SUBSTRING", TEXT, INTEGER, INTEGER).required(2).is(TextFunctions::substring),
          named("SUBSTRINGAFTER", TEXT, TEXT)
              .is(a -> after(a, TextSearch.first(text(a, 0), text(a, 1)))),
          named("SUBSTRINGBEFORE", TEXT, TEXT)
              .is(a -> before(a, TextSearch.first(text(a, 0), text(a, 1)))),
          named("TOSTRING", DEFINED).is(a -> Value.of(toText(a[0]))),
          named("TRIM", TEXT, TEXT).required(1).is(a -> trimmed(a, true, true)),
          changed("UPPER", text -> text.toUpperCase(Locale.ROOT)));

  private TextFunctions() {}

  /** Converts a value to a string: strings unchanged, other values as JSON of JavaScript. */
  static String toText(Value value) {
    if (value.type() == Type.STRING) {
      return value.asString();
    }
    // JSON cannot represent NaN and infinity
    boolean notFinite = value.type() == Type.DOUBLE && !value.isFinite();
    return notFinite ? Double.toString(value.asDouble()) : Json.stringify(value);
  }

  private static Function changed(String name, UnaryOperator<String> change) {
    return named(name, TEXT).is(a -> Value.of(change.apply(text(a, 0))));
  }

  private static Function read(String name, Kind kind) {
    return named(name, TEXT)
        .is(
            arguments -> {
              Value value = parsed(arguments);
              return kind.admits(value) ? value : Value.MISSING;
            });
  }

  private static Value parsed(Value[] arguments) {
    try {
      return Json.parseValue(text(arguments, 0), Limits.COSMOS);
    } catch (ValueException _) {
      return Value.MISSING;
    }
  }

  private static Value concat(Value[] arguments) {
    StringBuilder joined = new StringBuilder();
    for (int i = 0; i < arguments.length; i++) {
      joined.append(text(arguments, i));
      if (joined.length() > MAX_LENGTH) {
        return Value.MISSING;
      }
    }
    return Value.of(joined.toString());
  }

  private static Value contains(Value[] arguments) {
    return Value.of(contains(text(arguments, 0), text(arguments, 1), flag(arguments, 2)));
  }

  /** True if the text contains one of the strings; else undefined if an argument is no string. */
  private static Value containsAny(Value[] arguments, boolean ignoringCase) {
    String text = text(arguments, 0);
    Value any = Value.FALSE;
    for (int i = 1; i < arguments.length; i++) {
      if (arguments[i].type() != Type.STRING) {
        any = Value.MISSING;
      } else if (contains(text, text(arguments, i), ignoringCase)) {
        return Value.TRUE;
      }
    }
    return any;
  }

  /** False if the text lacks one of the strings; else undefined if an argument is no string. */
  private static Value containsAll(Value[] arguments, boolean ignoringCase) {
    String text = text(arguments, 0);
    Value all = Value.TRUE;
    for (int i = 1; i < arguments.length; i++) {
      if (arguments[i].type() != Type.STRING) {
        all = Value.MISSING;
      } else if (!contains(text, text(arguments, i), ignoringCase)) {
        return Value.FALSE;
      }
    }
    return all;
  }

  private static boolean contains(String text, String needle, boolean ignoringCase) {
    return ignoringCase
        ? TextSearch.containsIgnoringCase(text, needle)
        : TextSearch.first(text, needle) >= 0;
  }

  private static Value startsWith(Value[] arguments) {
    String start = text(arguments, 1);
    return Value.of(
        text(arguments, 0).regionMatches(flag(arguments, 2), 0, start, 0, start.length()));
  }

  private static Value endsWith(Value[] arguments) {
    String text = text(arguments, 0);
    String end = text(arguments, 1);
    int from = text.length() - end.length();
    return Value.of(text.regionMatches(flag(arguments, 2), from, end, 0, end.length()));
  }

  private static Value equal(Value[] arguments) {
    String left = text(arguments, 0);
    String right = text(arguments, 1);
    return Value.of(flag(arguments, 2) ? left.equalsIgnoreCase(right) : left.equals(right));
  }

  private static Value indexOf(Value[] arguments) {
    int from = arguments.length > 2 ? SqlNumbers.count(arguments[2]) : 0;
    String text = text(arguments, 0);
    int start = Math.clamp(from, 0, text.length());
    return Value.of(TextSearch.first(text, text(arguments, 1), start, text.length()));
  }

  /** Returns the last index of a string that ends at or before a position. */
  private static Value lastIndexOf(Value[] arguments) {
    String text = text(arguments, 0);
    String needle = text(arguments, 1);
    if (arguments.length == 2) {
      return Value.of(last(text, needle));
    }
    int position = SqlNumbers.count(arguments[2]);
    int from = position < 0 ? -1 : position - Math.max(needle.length() - 1, 0);
    return Value.of(TextSearch.last(text, needle, from));
  }

  private static int last(String text, String needle) {
    return TextSearch.last(text, needle, text.length());
  }

  /** Returns the text after the divider at an index; undefined if there is none. */
  private static Value after(Value[] arguments, int at) {
    return at < 0
        ? Value.MISSING
        : Value.of(text(arguments, 0).substring(at + text(arguments, 1).length()));
  }

  /** Returns the text before the divider at an index; undefined if there is none. */
  private static Value before(Value[] arguments, int at) {
    return at < 0 ? Value.MISSING : Value.of(text(arguments, 0).substring(0, at));
  }

  private static Value left(Value[] arguments) {
    return cut(text(arguments, 0), 0, SqlNumbers.count(arguments[1]));
  }

  private static Value right(Value[] arguments) {
    String text = text(arguments, 0);
    int length = Math.max(0, SqlNumbers.count(arguments[1]));
    return cut(text, text.length() - Math.min(length, text.length()), length);
  }

  private static Value substring(Value[] arguments) {
    int start = SqlNumbers.count(arguments[1]);
    int length = arguments.length > 2 ? SqlNumbers.count(arguments[2]) : Integer.MAX_VALUE;
    return cut(text(arguments, 0), start, length);
  }

  /** Returns the part of the text within these bounds. */
  private static Value cut(String text, long start, long length) {
    int from = start < 0 ? text.length() : (int) Math.min(start, text.length());
    int to = Math.clamp(from + length, from, text.length());
    return Value.of(text.substring(from, to));
  }

  private static Value trimmed(Value[] arguments, boolean start, boolean end) {
    String text = text(arguments, 0);
    Optional<String> characters =
        arguments.length > 1 ? Optional.of(text(arguments, 1)) : Optional.empty();
    int from = 0;
    int to = text.length();
    while (start && from < to && trims(characters, text.charAt(from))) {
      from++;
    }
    while (end && from < to && trims(characters, text.charAt(to - 1))) {
      to--;
    }
    return Value.of(text.substring(from, to));
  }

  /** Whether a character is trimmed: one of these, or white space if none are given. */
  private static boolean trims(Optional<String> characters, char character) {
    Interrupt.steps(characters.isPresent() ? Interrupt.ofBytes(characters.get().length()) : 0);
    return characters.isPresent()
        ? characters.get().indexOf(character) >= 0
        : Character.isWhitespace(character);
  }

  private static Value replace(Value[] arguments) {
    String text = text(arguments, 0);
    String needle = text(arguments, 1);
    String replacement = text(arguments, 2);
    if (needle.isEmpty()) {
      return Value.MISSING;
    }
    long places = text.length() / needle.length();
    return text.length() + places * replacement.length() > MAX_LENGTH
        ? Value.MISSING
        : Value.of(TextSearch.replaceAll(text, needle, replacement));
  }

  private static Value replicate(Value[] arguments) {
    String text = text(arguments, 0);
    long times = SqlNumbers.integer(arguments[1]);
    boolean fits = times >= 0 && times <= MAX_REPLICATED && text.length() * times <= MAX_REPLICATED;
    return fits ? Value.of(text.repeat((int) times)) : Value.MISSING;
  }

  private static Value join(Value[] arguments) {
    StringBuilder joined = new StringBuilder();
    String separator = "";
    Fields each = arguments[0].asDocument().fields();
    while (each.next()) {
      if (each.type() != Type.STRING || joined.length() > MAX_LENGTH) {
        return Value.MISSING;
      }
      joined.append(separator).append(each.value().asString());
      separator = text(arguments, 1);
    }
    return Value.of(joined.toString());
  }

  private static Value split(Value[] arguments) {
    String text = text(arguments, 0);
    String divider = text(arguments, 1);
    DocumentWriter parts = Document.writer();
    int from = 0;
    int at = divider.isEmpty() ? -1 : TextSearch.first(text, divider);
    while (at >= 0) {
      parts.add(Value.of(text.substring(from, at)));
      from = at + divider.length();
      at = TextSearch.first(text, divider, from, text.length());
    }
    return Value.array(parts.add(Value.of(text.substring(from))).build());
  }

  private static String text(Value[] arguments, int i) {
    return arguments[i].asString();
  }

  private static boolean flag(Value[] arguments, int i) {
    return arguments.length > i && arguments[i].asBoolean();
  }
}
