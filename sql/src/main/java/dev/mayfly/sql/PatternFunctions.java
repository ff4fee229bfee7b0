package dev.mayfly.sql;

import static dev.mayfly.sql.BuiltIn.named;
import static dev.mayfly.sql.Kind.INTEGER;
import static dev.mayfly.sql.Kind.TEXT;

import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.TextPattern;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.regex.Matcher;

/**
 * Regular expression functions.
 *
 * <p>A malformed pattern, or one whose search takes too many steps, fails the query.
 */
final class PatternFunctions {
  static final List<Function> ALL =
      List.of(
          named("REGEXMATCH", TEXT, TEXT, TEXT)
              .required(2)
              .is(arguments -> Value.of(pattern(arguments).found(arguments[0].asString()))),
          named("REGEXEXTRACT", TEXT, TEXT, TEXT, INTEGER)
              .required(2)
              .is(PatternFunctions::extractFirst),
          named("REGEXEXTRACTALL", TEXT, TEXT, TEXT, INTEGER)
              .required(2)
              .is(PatternFunctions::extractAll));

  private static final int CACHE_SIZE = 64;

  /**
   * Cache of compiled patterns by the hash of their text: a query uses the same one for every row.
   */
  private static final AtomicReferenceArray<TextPattern> CACHE =
      new AtomicReferenceArray<>(CACHE_SIZE);

  private PatternFunctions() {}

  /** Returns a compiled pattern. */
  static TextPattern pattern(String pattern, String options) {
    int slot = Math.floorMod(31 * pattern.hashCode() + options.hashCode(), CACHE_SIZE);
    TextPattern cached = CACHE.get(slot);
    if (cached != null && cached.pattern().equals(pattern) && cached.options().equals(options)) {
      return cached;
    }
    TextPattern compiled = TextPattern.of(pattern, options);
    CACHE.set(slot, compiled);
    return compiled;
  }

  private static TextPattern pattern(Value[] arguments) {
    return pattern(arguments[1].asString(), arguments.length > 2 ? arguments[2].asString() : "");
  }

  private static Value extractFirst(Value[] arguments) {
    Matcher matcher = pattern(arguments).searcher(arguments[0].asString());
    return advance(matcher) ? extracted(matcher, group(arguments)) : Value.MISSING;
  }

  private static Value extractAll(Value[] arguments) {
    Matcher matcher = pattern(arguments).searcher(arguments[0].asString());
    DocumentWriter all = Document.writer();
    while (advance(matcher)) {
      Value extracted = extracted(matcher, group(arguments));
      if (!extracted.isMissing()) {
        all.add(extracted);
      }
    }
    return Value.array(all.build());
  }

  private static long group(Value[] arguments) {
    return arguments.length > 3 ? SqlNumbers.integer(arguments[3]) : 0;
  }

  private static Value extracted(Matcher matcher, long group) {
    if (group < 0 || group > matcher.groupCount()) {
      return Value.MISSING;
    }
    String text = matcher.group((int) group);
    return text == null ? Value.MISSING : Value.of(text);
  }

  private static boolean advance(Matcher matcher) {
    try {
      return matcher.find();
    } catch (StackOverflowError _) {
      // the search recurses once per character, so a long text overflows the stack
      throw new QueryException(
          Reason.PATTERN_TOO_COSTLY,
          "the search of a regular expression recurses too deep",
          matcher.pattern().pattern());
    }
  }
}
