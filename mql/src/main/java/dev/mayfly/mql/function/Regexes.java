package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Elements;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.expression.Operands;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.query.Intermediate;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.TextPattern;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.regex.Matcher;

/** Regular expression functions: match, find first, find all. */
public final class Regexes {
  private Regexes() {}

  /**
   * Compiles a pattern. Options: i ignores case, m multiline, s dot matches all, x extended; u is
   * accepted and always on.
   */
  static TextPattern compile(String pattern, String options) {
    requireOptions(options);
    try {
      return TextPattern.of(pattern, options);
    } catch (QueryException invalid) {
      throw Operands.badValue(51111, "Invalid Regex in {}: " + invalid.getMessage());
    }
  }

  /** Returns the first match: text, index in code points, and groups; or null. */
  static Value first(TextPattern pattern, String text) {
    Matcher matcher = pattern.searcher(text);
    return advance(matcher) ? Value.of(place(matcher, text)) : Value.NULL;
  }

  /**
   * Returns all matches; the end of a non-empty text is no match, even for a pattern that matches
   * there.
   */
  static Value all(TextPattern pattern, String text) {
    Matcher matcher = pattern.searcher(text);
    DocumentWriter places = Intermediate.writer();
    while (advance(matcher) && (matcher.start() < text.length() || text.isEmpty())) {
      if (!insideCharacter(text, matcher.start())) {
        places.add(Value.of(place(matcher, text)));
      }
    }
    return Value.array(places.build());
  }

  /** Returns whether the index is between the two halves of a surrogate pair. */
  private static boolean insideCharacter(String text, int place) {
    return place > 0
        && place < text.length()
        && Character.isSurrogatePair(text.charAt(place - 1), text.charAt(place));
  }

  private static Document place(Matcher matcher, String text) {
    DocumentWriter place =
        Intermediate.writer()
            .put("match", text.substring(matcher.start(), matcher.end()))
            .put("idx", text.codePointCount(0, matcher.start()))
            .startArray("captures");
    for (int i = 1; i <= matcher.groupCount(); i++) {
      boolean taken = matcher.start(i) >= 0;
      place.add(taken ? Value.of(text.substring(matcher.start(i), matcher.end(i))) : Value.NULL);
    }
    return place.end().build();
  }

  private static boolean advance(Matcher matcher) {
    try {
      return matcher.find();
    } catch (StackOverflowError _) {
      // The matcher recurses for each character; a longer text overflows the stack.
      throw new QueryException(
          Reason.LIMIT_EXCEEDED,
          51156,
          "Error occurred while executing the regular expression in {}");
    }
  }

  private static void requireOptions(String options) {
    if (options.indexOf('\0') >= 0) {
      throw Operands.badValue(
          51110, "{}: regular expression options cannot contain an embedded null byte");
    }
    for (int i = 0; i < options.length(); i++) {
      if ("imsxu".indexOf(options.charAt(i)) < 0) {
        throw Operands.badValue(51108, "{} invalid flag in regex options: " + options.charAt(i));
      }
    }
  }

  /** What a search returns. */
  public enum Wanted {
    MATCH,
    FIRST,
    ALL
  }

  /** Returns a search expression; compiles a constant pattern once. */
  public static Expression search(
      String operation, Wanted wanted, Expression input, Expression regex, Expression options) {
    if (regex instanceof Literal(Value pattern)
        && options instanceof Literal(Value flags)
        && !Truthiness.nullish(pattern)) {
      try {
        TextPattern ready = pattern(pattern, flags);
        return Literal.folded(
            new Found(operation, wanted, input, new Literal(pattern), options, ready));
      } catch (QueryException failure) {
        throw failure.of(operation);
      }
    }
    return new Sought(operation, wanted, input, regex, options);
  }

  private record Found(
      String operation,
      Wanted wanted,
      Expression input,
      Literal regex,
      Expression options,
      TextPattern pattern)
      implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      try {
        return searched(wanted, input.evaluate(scope), pattern);
      } catch (QueryException failure) {
        throw failure.of(operation);
      }
    }

    @Override
    public boolean constant() {
      return input.constant();
    }
  }

  private record Sought(
      String operation, Wanted wanted, Expression input, Expression regex, Expression options)
      implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Value text = input.evaluate(scope);
      Value pattern = regex.evaluate(scope);
      Value flags = options.evaluate(scope);
      try {
        if (Truthiness.nullish(pattern)) {
          requireText(text);
          return nothing(wanted);
        }
        return searched(wanted, text, pattern(pattern, flags));
      } catch (QueryException failure) {
        throw failure.of(operation);
      }
    }
  }

  private static Value searched(Wanted wanted, Value input, TextPattern pattern) {
    if (Truthiness.nullish(input)) {
      return nothing(wanted);
    }
    String text = requireText(input);
    return switch (wanted) {
      case MATCH -> Value.of(pattern.found(text));
      case FIRST -> first(pattern, text);
      case ALL -> all(pattern, text);
    };
  }

  private static String requireText(Value input) {
    return Truthiness.nullish(input)
        ? ""
        : Operands.requireString(input, 51104, "{} needs 'input' to be of type string, but got ");
  }

  private static Value nothing(Wanted wanted) {
    return switch (wanted) {
      case MATCH -> Value.FALSE;
      case FIRST -> Value.NULL;
      case ALL -> Elements.EMPTY;
    };
  }

  private static TextPattern pattern(Value regex, Value options) {
    boolean given = !Truthiness.nullish(options);
    String flags =
        given
            ? Operands.requireString(
                options, 51106, "{} needs 'options' to be of type string, not ")
            : "";
    if (regex.type() == Type.REGEX) {
      String own = regex.regexOptions();
      if (given && !own.isEmpty()) {
        throw Operands.badValue(
            51107, "{} found regex option(s) specified in both 'regex' and 'option' fields");
      }
      return compile(regex.regexPattern(), given ? flags : own);
    }
    String pattern =
        Operands.requireString(
            regex, 51105, "{} needs 'regex' to be of type string or regex, not ");
    if (pattern.indexOf('\0') >= 0) {
      throw Operands.badValue(51109, "{}: regular expression cannot contain an embedded null byte");
    }
    return compile(pattern, flags);
  }
}
