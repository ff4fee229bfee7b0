package dev.mayfly.sql;

import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PrimitiveIterator;

/**
 * Pattern of LIKE: {@code %} matches any text, {@code _} any character, {@code [a-f]} a character
 * of a set, {@code [^a-f]} a character outside a set.
 *
 * <p>Matching takes at most (length of text) x (length of pattern) steps. Immutable.
 */
public final class Like {
  private final List<Part> parts;

  /** Element of a pattern. */
  private sealed interface Part {
    /** Any number of any characters. */
    record Any() implements Part {}

    /** One character. */
    record One(CharacterSet set) implements Part {}
  }

  /** Set of characters. */
  @FunctionalInterface
  private interface CharacterSet {
    boolean contains(int character);
  }

  private Like(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  /**
   * Whether a string matches a pattern; undefined if one of them is not a string, or if the escape
   * is not a single character.
   *
   * @param escape character that quotes the next character of the pattern; empty for none
   */
  public static Scalar of(Scalar value, Scalar pattern, Scalar escape) {
    if (pattern instanceof Constant(Value text) && escape instanceof Constant(Value mark)) {
      Optional<Like> like = of(text, mark);
      return like.isEmpty() ? Constant.UNDEFINED : row -> like.get().test(value.evaluate(row));
    }
    return row ->
        of(pattern.evaluate(row), escape.evaluate(row))
            .map(like -> like.test(value.evaluate(row)))
            .orElse(Value.MISSING);
  }

  private static Optional<Like> of(Value pattern, Value escape) {
    boolean texts = pattern.type() == Type.STRING && escape.type() == Type.STRING;
    if (!texts || escape.asString().codePoints().count() > 1) {
      return Optional.empty();
    }
    String mark = escape.asString();
    return Optional.of(
        new Like(
            new Reader(pattern.asString(), mark.isEmpty() ? -1 : mark.codePointAt(0)).parts()));
  }

  private Value test(Value value) {
    return value.type() == Type.STRING ? Value.of(matches(value.asString())) : Value.MISSING;
  }

  /**
   * Matches text and pattern from the left. After a mismatch it backtracks to the last {@code %}
   * and lets it match one more character. Earlier {@code %} need no backtracking, because the parts
   * after them were matched as early as possible.
   */
  boolean matches(String text) {
    int[] characters = text.codePoints().toArray();
    int at = 0;
    int part = 0;
    int lastAny = -1;
    int resume = 0;
    Interrupt interrupt = Interrupt.current();
    while (at < characters.length) {
      interrupt.step();
      Part next = part < parts.size() ? parts.get(part) : null;
      if (next instanceof Part.Any) {
        lastAny = part++;
        resume = at;
      } else if (next instanceof Part.One(CharacterSet set) && set.contains(characters[at])) {
        part++;
        at++;
      } else if (lastAny >= 0) {
        part = lastAny + 1;
        at = ++resume;
      } else {
        return false;
      }
    }
    while (part < parts.size() && parts.get(part) instanceof Part.Any) {
      part++;
    }
    return part == parts.size();
  }

  /** Parses a pattern. */
  private static final class Reader {
    private final int[] pattern;
    private final int escape;
    private int at;

    Reader(String pattern, int escape) {
      this.pattern = pattern.codePoints().toArray();
      this.escape = escape;
    }

    List<Part> parts() {
      List<Part> parts = new ArrayList<>();
      while (at < pattern.length) {
        int c = pattern[at++];
        if (c == escape && at < pattern.length) {
          parts.add(exactly(pattern[at++]));
        } else if (c == '%') {
          if (parts.isEmpty() || !(parts.getLast() instanceof Part.Any)) {
            parts.add(new Part.Any());
          }
        } else if (c == '_') {
          parts.add(new Part.One(_ -> true));
        } else if (c == '[' && closing() > 0) {
          parts.add(set(closing()));
        } else {
          parts.add(exactly(c));
        }
      }
      return parts;
    }

    private static Part exactly(int c) {
      return new Part.One(other -> other == c);
    }

    /**
     * Returns the end of the set that begins here; -1 if it is not closed, so that the bracket is
     * literal.
     */
    private int closing() {
      for (int i = at; i < pattern.length; i++) {
        if (pattern[i] == ']' && i > at) {
          return i;
        }
      }
      return -1;
    }

    private Part set(int end) {
      boolean outside = pattern[at] == '^' && at + 1 < end;
      List<int[]> ranges = new ArrayList<>();
      for (int i = outside ? at + 1 : at; i < end; i++) {
        boolean range = i + 2 < end && pattern[i + 1] == '-';
        ranges.add(new int[] {pattern[i], pattern[range ? i + 2 : i]});
        i += range ? 2 : 0;
      }
      at = end + 1;
      return new Part.One(c -> contains(ranges, c) != outside);
    }

    private static boolean contains(List<int[]> ranges, int c) {
      for (int[] range : ranges) {
        if (range[0] <= c && c <= range[1]) {
          return true;
        }
      }
      return false;
    }
  }

  /** Returns the prefix if the pattern is a plain prefix followed by {@code %}. */
  public static Optional<String> prefix(String pattern) {
    PrimitiveIterator.OfInt characters = pattern.codePoints().iterator();
    StringBuilder prefix = new StringBuilder();
    while (characters.hasNext()) {
      int c = characters.nextInt();
      if (c == '%') {
        return characters.hasNext() ? Optional.empty() : Optional.of(prefix.toString());
      }
      if (c == '_' || c == '[') {
        return Optional.empty();
      }
      prefix.appendCodePoint(c);
    }
    return Optional.empty();
  }
}
