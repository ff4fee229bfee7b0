package dev.mayfly.query;

/**
 * What every text that a pattern is found in starts with.
 *
 * @param text the common beginning; empty when there is none to be seen
 * @param whole true when the pattern asks for nothing more
 */
record PatternPrefix(String text, boolean whole) {
  private static final PatternPrefix NOTHING = new PatternPrefix("", false);

  /** Characters that end a plain beginning. */
  private static final String SPECIAL = "^$.[|()+{";

  /**
   * Reads the plain characters after an anchor. Errs on the side of nothing: alternatives, ignored
   * case and extended syntax are not looked into.
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

  /** True when what stands here lets the character before it be left out. */
  private static boolean mayBeAbsent(String pattern, int at) {
    return at < pattern.length() && "*?{".indexOf(pattern.charAt(at)) >= 0;
  }
}
