package dev.mayfly.query;

/**
 * Common prefix of all strings that match a regular expression.
 *
 * @param text the prefix; empty if none is known
 * @param whole whether every string with this prefix matches
 */
record PatternPrefix(String text, boolean whole) {
  private static final PatternPrefix NOTHING = new PatternPrefix("", false);

  /** Characters that end a literal prefix. */
  private static final String SPECIAL = "^$.[|()+{";

  /**
   * Parses the literal characters after an anchor. Returns an empty prefix in doubt: for
   * alternatives, ignored case and extended syntax.
   */
  static PatternPrefix of(String pattern, String options) {
    boolean anchored = pattern.startsWith("^") && options.indexOf('m') < 0;
    int start = anchored ? 1 : pattern.startsWith("\\A") ? 2 : 0;
    if (start == 0
        || options.indexOf('i') >= 0
        || options.indexOf('x') >= 0
        || pattern.indexOf('|') >= 0) {
      return NOTHING;
    }
    return plain(pattern, start);
  }

  private static PatternPrefix plain(String pattern, int start) {
    StringBuilder text = new StringBuilder();
    int at = start;
    while (at < pattern.length()) {
      int c = pattern.codePointAt(at);
      int size = Character.charCount(c);
      if (c == '\\') {
        if (at + 1 == pattern.length() || Character.isLetterOrDigit(pattern.charAt(at + 1))) {
          return new PatternPrefix(text.toString(), false);
        }
        c = pattern.codePointAt(at + 1);
        size = 1 + Character.charCount(c);
      } else if (SPECIAL.indexOf(c) >= 0) {
        return new PatternPrefix(text.toString(), false);
      }
      if (mayBeAbsent(pattern, at + size)) {
        return new PatternPrefix(text.toString(), false);
      }
      text.appendCodePoint(c);
      at += size;
    }
    return new PatternPrefix(text.toString(), true);
  }

  /** Returns whether the quantifier here makes the previous character optional. */
  private static boolean mayBeAbsent(String pattern, int at) {
    return at < pattern.length() && "*?{".indexOf(pattern.charAt(at)) >= 0;
  }
}
