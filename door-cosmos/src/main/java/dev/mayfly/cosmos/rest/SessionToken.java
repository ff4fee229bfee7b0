package dev.mayfly.cosmos.rest;

/**
 * Session token: how far a client has read a partition key range. Clients send back the token of
 * the last reply.
 *
 * @param range the partition key range
 * @param lsn position of the last write that the client has seen
 */
public record SessionToken(String range, long lsn) {
  /** Version of the protocol that introduced vector session tokens. */
  public static final String SINCE = "2018-06-18";

  /** The only range of a container. */
  public static final String WHOLE = "0";

  /** Returns the token of a container with one range. */
  public static String of(long lsn) {
    return "0:-1#" + lsn;
  }

  /** Parses a token: its first range. A malformed token has position 0. */
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
    } catch (NumberFormatException invalid) {
      return 0;
    }
  }

  /** Returns the form for clients older than {@link #SINCE}. */
  public String simple() {
    return range + ":" + lsn;
  }

  @Override
  public String toString() {
    return range + ":-1#" + lsn;
  }
}
