package dev.mayfly.sql.compiler;

import dev.mayfly.value.Value;

/**
 * A word, a mark or a literal of a query.
 *
 * @param text what stands there; of a parameter with its sign, of a string without quotes and
 *     escapes
 * @param value what a number or string means, else undefined
 */
record Token(Kind kind, String text, Value value, Span span) {
  enum Kind {
    NAME,
    PARAMETER,
    NUMBER,
    STRING,
    SYMBOL,
    END
  }

  boolean is(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  /** True for the keyword, in any case. */
  boolean isWord(String keyword) {
    return kind == Kind.NAME && text.equalsIgnoreCase(keyword);
  }

  /** True for a word of the language that is written one way only. */
  boolean isExactly(String keyword) {
    return kind == Kind.NAME && text.equals(keyword);
  }
}
