package dev.mayfly.cosmos.rest;

/**
 * How far a client has seen a range of a container: it passes on what it was told.
 *
 * @param range the partition key range
 * @param lsn the position of the last write it has seen there
 */
public record SessionToken(String range, long lsn) {
  /** The version of the protocol that brought tokens of several parts. */
  public static final String SINCE = "2018-06-18";

  /** The range that a container has. */
  public static final String WHOLE = "0";

  /** The token of a container with one range. */
  public static String of(long lsn) {
    return "0:-1#" + lsn;
  }

  /** Reads what a client sends: the first range counts. Nonsense is the beginning. */
  public static SessionToken parse(String text) {
    int colon = text.indexOf(':');
    int hash = text.indexOf('#', Math.max(colon, 0));
    if (colon < 0) {
      return new SessionToken(WHOLE, 0);
    }
    int end = end(text, hash + 1);
    String digits = text.substring(hash < 0 ? colon + 1 : hash + 1, end);
    return new SessionToken(text.substring(0, colon), number(digits));
  }

  private static int end(String text, int from) {
    int end = Math.max(from, 0);
    while (end < text.length() && text.charAt(end) != '#' && text.charAt(end) != ',') {
      end++;
    }
    return end;
  }

  private static long number(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException nonsense) {
      return 0;
    }
  }

  /** As clients older than {@link #SINCE} know it. */
  public String simple() {
    return range + ":" + lsn;
  }

  @Override
  public String toString() {
    return range + ":-1#" + lsn;
  }
}
