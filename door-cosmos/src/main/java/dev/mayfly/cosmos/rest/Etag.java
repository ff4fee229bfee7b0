package dev.mayfly.cosmos.rest;

import java.util.HexFormat;

/** ETag of a resource: its version as a quoted text in the form of a GUID. */
public final class Etag {
  /** A version that no resource has. */
  public static final long NONE = -2;

  private static final HexFormat HEX = HexFormat.of();
  private static final int LENGTH = 38;
  private static final int HIGH_END = 9;
  private static final int LOW_START = 29;
  private static final String MIDDLE = "-0000-0000-0000-0000";

  private Etag() {}

  /** Returns the ETag of a version. */
  public static String of(long version) {
    String digits = HEX.toHexDigits(version);
    return "\"" + digits.substring(0, 8) + MIDDLE + digits.substring(8) + "\"";
  }

  /** Parses an ETag, quoted or not; {@link #NONE} if it is not from this server. */
  public static long version(String text) {
    String quoted = text.startsWith("\"") ? text : "\"" + text + "\"";
    if (quoted.length() != LENGTH || !quoted.startsWith(MIDDLE, HIGH_END)) {
      return NONE;
    }
    try {
      return HexFormat.fromHexDigitsToLong(
          quoted.substring(1, HIGH_END) + quoted.substring(LOW_START, LENGTH - 1));
    } catch (IllegalArgumentException invalid) {
      return NONE;
    }
  }
}
