package dev.mayfly.sql.compiler;

import dev.mayfly.value.Value;

/**
 * Token: a word, punctuation or literal.
 *
 * @param text characters of the token; a parameter includes the {@code @}, a string has no quotes
 *     and no escapes
 * @param value value of a number or string; otherwise undefined
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
