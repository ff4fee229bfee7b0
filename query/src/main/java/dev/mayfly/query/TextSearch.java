package dev.mayfly.query;

import dev.mayfly.query.limit.Interrupt;

/**
 * Interruptible substring search.
 *
 * <p>The methods of {@link String} compare up to length times length characters without
 * interruption: for two strings of a document that takes hours.
 */
public final class TextSearch {
  /** Maximum number of characters to compare between two interruption points. */
  private static final int WORK = 1 << 20;

  /** The number of steps for that work. */
  private static final int WORK_STEPS = 256;

  private TextSearch() {}

  /** Returns the index of the first occurrence, or -1. */
  public static int first(String text, String token) {
    return first(text, token, 0, text.length());
  }

  /** Returns the index of the first occurrence within these bounds, or -1. */
  public static int first(String text, String token, int from, int to) {
    long work = (long) (to - from) * token.length();
    if (work <= WORK) {
      Interrupt.steps(Interrupt.ofBytes((int) work));
      return text.indexOf(token, from, to);
    }
    int window = Math.max(1, WORK / token.length());
    for (int at = from; at <= to - token.length(); at += Math.min(window, to - at)) {
      Interrupt.steps(WORK_STEPS);
      int end = (int) Math.min(to, (long) at + window - 1 + token.length());
      int found = text.indexOf(token, at, end);
      if (found >= 0) {
        return found;
      }
    }
    return -1;
  }

  /** Returns the index of the last occurrence that starts at or before this index, or -1. */
  public static int last(String text, String token, int from) {
    Interrupt interrupt = Interrupt.current();
    int steps = Interrupt.ofBytes(token.length());
    for (int at = Math.min(from, text.length() - token.length()); at >= 0; at--) {
      interrupt.step(steps);
      if (text.startsWith(token, at)) {
        return at;
      }
    }
    return -1;
  }

  /** Returns whether the text contains the token, ignoring case. */
  public static boolean containsIgnoringCase(String text, String token) {
    Interrupt interrupt = Interrupt.current();
    int steps = Interrupt.ofBytes(token.length());
    for (int at = 0; at <= text.length() - token.length(); at++) {
      interrupt.step(steps);
      if (text.regionMatches(true, at, token, 0, token.length())) {
        return true;
      }
    }
    return false;
  }

  /** Replaces all occurrences of a non-empty token. */
  public static String replaceAll(String text, String token, String replacement) {
    int at = first(text, token);
    if (at < 0) {
      return text;
    }
    StringBuilder replaced = new StringBuilder();
    int from = 0;
    while (at >= 0) {
      replaced.append(text, from, at).append(replacement);
      from = at + token.length();
      at = first(text, token, from, text.length());
    }
    return replaced.append(text, from, text.length()).toString();
  }
}
