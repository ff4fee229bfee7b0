package dev.mayfly.query;

import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.limit.Interrupt;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Regular expression in PCRE syntax with its options.
 *
 * <p>Options: {@code i} ignores case, {@code m} lets anchors match at lines, {@code s} lets the dot
 * match line ends, {@code x} allows white space and comments, {@code u} changes nothing. A search
 * counts its steps and fails, rather than never returning, on a pattern with exponential cost.
 *
 * <p>Immutable; safe for many threads. Equal if pattern and options are.
 */
public final class TextPattern {
  private static final long FREE_STEPS = 5_000_000;
  private static final long STEPS_PER_CHARACTER = 64;

  /** Accesses to characters per call of {@link Interrupt}: one access is much less than a step. */
  private static final long STEPS_TOGETHER = 0xFFF;

  private static final int COUNTED_TOGETHER = 128;

  /** Cost of compiling a pattern, in steps of an {@link Interrupt}. */
  private static final int COMPILATION = 8;

  private final String pattern;
  private final String options;
  private final Pattern compiled;
  private final PatternPrefix prefix;

  private TextPattern(String pattern, String options, Pattern compiled) {
    this.pattern = pattern;
    this.options = options;
    this.compiled = compiled;
    this.prefix = PatternPrefix.of(pattern, options);
  }

  /**
   * Compiles a pattern with these options.
   *
   * @throws QueryException BAD_PATTERN if the pattern or an option is invalid
   */
  public static TextPattern of(String pattern, String options) {
    Interrupt.steps(COMPILATION + Interrupt.ofBytes(pattern.length()));
    PcreSyntax syntax = new PcreSyntax(pattern, flags(options));
    try {
      return new TextPattern(
          pattern, options, Pattern.compile(syntax.translated(), syntax.flags()));
    } catch (PatternSyntaxException e) {
      throw new QueryException(Reason.BAD_PATTERN, "a pattern cannot be read", e.getDescription());
    }
  }

  /** Returns the original pattern. */
  public String pattern() {
    return pattern;
  }

  /** Returns the original options. */
  public String options() {
    return options;
  }

  /**
   * Returns whether the pattern matches somewhere in the string.
   *
   * @throws QueryException PATTERN_TOO_COSTLY if the search takes too many steps
   */
  public boolean found(String text) {
    try {
      return compiled.matcher(counted(text)).find();
    } catch (StackOverflowError _) {
      // The search recurses for repeated groups: a string can be too long for the stack.
      throw tooCostly(pattern);
    }
  }

  /** Returns a matcher over the text that counts its steps as {@link #found} does. */
  public java.util.regex.Matcher searcher(String text) {
    return compiled.matcher(counted(text));
  }

  /** Returns the common prefix of all matching strings, if one is known. */
  public Optional<String> prefix() {
    return prefix.text().isEmpty() ? Optional.empty() : Optional.of(prefix.text());
  }

  /** Returns whether every string that starts with the {@link #prefix()} matches. */
  boolean onlyPrefix() {
    return prefix.whole();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TextPattern that
        && pattern.equals(that.pattern)
        && options.equals(that.options);
  }

  @Override
  public int hashCode() {
    return 31 * pattern.hashCode() + options.hashCode();
  }

  @Override
  public String toString() {
    return "/" + pattern + "/" + options;
  }

  private CharSequence counted(String text) {
    return new Counted(text, pattern);
  }

  private static int flags(String options) {
    // Only a line feed ends a line in PCRE.
    int flags = Pattern.UNIX_LINES;
    for (int i = 0; i < options.length(); i++) {
      char option = options.charAt(i);
      flags |=
          switch (option) {
            case 'i' -> Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
            case 'm' -> Pattern.MULTILINE;
            case 's' -> Pattern.DOTALL;
            case 'x' -> Pattern.COMMENTS;
            case 'u' -> 0;
            default ->
                throw new QueryException(
                    Reason.BAD_PATTERN, "not an option of a pattern", String.valueOf(option));
          };
    }
    return flags;
  }

  private static QueryException tooCostly(String pattern) {
    return new QueryException(Reason.PATTERN_TOO_COSTLY, "a search takes too many steps", pattern);
  }

  /** A text that counts the accesses to its characters. */
  private static final class Counted implements CharSequence {
    private final String text;
    private final String pattern;
    private long steps;

    Counted(String text, String pattern) {
      this.text = text;
      this.pattern = pattern;
      this.steps = FREE_STEPS + STEPS_PER_CHARACTER * text.length();
    }

    @Override
    public char charAt(int index) {
      if ((--steps & STEPS_TOGETHER) == 0) {
        Interrupt.steps(COUNTED_TOGETHER);
        if (steps <= 0) {
          throw tooCostly(pattern);
        }
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
