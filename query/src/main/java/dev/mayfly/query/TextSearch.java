package dev.mayfly.query;

/**
 * Searches of a text in a text that can be interrupted.
 *
 * <p>Those of {@link String} compare up to length times length characters without coming back: for
 * two texts of a document that is hours.
 */
public final class TextSearch {
  /** How many characters are compared at most between two interruption points. */
  private static final int WORK = 1 << 20;

  /** As many steps as that work is worth. */
  private static final int WORK_STEPS = 256;

  private TextSearch() {}

  /** The first place in the text at which the token begins; -1 when there is none. */
  public static int first(String text, String token) {
    return first(text, token, 0, text.length());
  }

  /** The first place between these two at which the token begins and ends; -1 without one. */
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

  /** The last place, not after this one, at which the token begins; -1 when there is none. */
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

  /** Whether the text has the token somewhere, whatever the case of the letters of both. */
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

  /** The text with a replacement in all places of the token, which is not empty. */
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
