package dev.mayfly.sql.compiler;

import dev.mayfly.value.Value;

/**
 * Token: a word, punctuation or literal.
 *
 * @param text of the token; of a parameter with the {@code @}, of a string without quotes and
 *     escapes
 * @param value of a number or string, else undefined
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

  /** Whether it is a keyword, in any case. */
  boolean isWord(String keyword) {
    return kind == Kind.NAME && text.equalsIgnoreCase(keyword);
  }

  /** Whether it is a case-sensitive keyword. */
  boolean isExactly(String keyword) {
    return kind == Kind.NAME && text.equals(keyword);
  }
}
