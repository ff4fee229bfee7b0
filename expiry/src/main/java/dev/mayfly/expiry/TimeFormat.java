package dev.mayfly.expiry;

import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Optional;

/**
 * Format of the time in a field that a TTL rule counts from. A value in another format has no time:
 * the rule does not expire its document.
 */
public enum TimeFormat {
  /** BSON date, as in MongoDB. */
  DATE("date", "a date"),
  /** Number of seconds since 1970. A fraction is rounded to milliseconds. */
  SECONDS("seconds", "a number"),
  /** Number of milliseconds since 1970. A fraction is dropped. */
  MILLISECONDS("milliseconds", "a number"),
  /** Text with a date, or with a date and a time, in ISO 8601: see {@link IsoTime}. */
  ISO_8601("iso8601", "a string"),
  /** ObjectId, or its 24 hexadecimal digits as text: the second in which it was generated. */
  OBJECT_ID("objectId", "an ObjectId");

  /** The result if a value is not in the format. Equal to {@link Header#NO_PLACE}. */
  public static final long NONE = Long.MAX_VALUE;

  private static final long MILLIS = 1000;

  /** Bound of seconds: larger values would overflow as milliseconds. */
  private static final double MAX_SECONDS = 1e15;

  private static final double MAX_MILLISECONDS = 1e18;

  private static final int HEX_DIGITS = 24;
  private static final int TIME_DIGITS = 8;

  private final String code;
  private final String wanted;

  TimeFormat(String code, String wanted) {
    this.code = code;
    this.wanted = wanted;
  }

  /** The name in requests, replies and stored data. */
  public String code() {
    return code;
  }

  /** The type of value that the format needs, with its article. */
  public String wanted() {
    return wanted;
  }

  /** Returns the format with a name. */
  public static Optional<TimeFormat> named(String code) {
    for (TimeFormat format : values()) {
      if (format.code.equals(code)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /** Returns whether values of a type can be in this format. */
  public boolean accepts(Type type) {
    return switch (this) {
      case DATE -> type == Type.DATE;
      case SECONDS, MILLISECONDS -> isNumber(type);
      case ISO_8601 -> type == Type.STRING;
      case OBJECT_ID -> type == Type.OBJECT_ID || type == Type.STRING;
    };
  }

  private static boolean isNumber(Type type) {
    return type == Type.INT32
        || type == Type.INT64
        || type == Type.DOUBLE
        || type == Type.DECIMAL128;
  }

  /** Returns the time of a value in epoch milliseconds, or {@link #NONE}. */
  public long of(Value value) {
    return accepts(value.type()) ? ofAccepted(value) : NONE;
  }

  private long ofAccepted(Value value) {
    return switch (this) {
      case DATE -> value.asDate();
      case SECONDS -> ofSeconds(value);
      case MILLISECONDS -> ofMilliseconds(value);
      case ISO_8601 -> IsoTime.of(value.asString());
      case OBJECT_ID ->
          value.type() == Type.STRING ? ofHexDigits(value.asString()) : ofBytes(value.asObjectId());
    };
  }

  private static long ofSeconds(Value value) {
    if (value.type() == Type.INT32 || value.type() == Type.INT64) {
      long seconds = value.asLong();
      return Math.abs((double) seconds) <= MAX_SECONDS ? seconds * MILLIS : NONE;
    }
    double seconds = value.asDouble();
    return Math.abs(seconds) <= MAX_SECONDS ? (long) Math.rint(seconds * MILLIS) : NONE;
  }

  private static long ofMilliseconds(Value value) {
    if (value.type() == Type.INT32 || value.type() == Type.INT64) {
      return value.asLong();
    }
    double millis = value.asDouble();
    return Math.abs(millis) <= MAX_MILLISECONDS ? (long) Math.floor(millis) : NONE;
  }

  private static long ofBytes(byte[] objectId) {
    long seconds = 0;
    for (int i = 0; i < TIME_DIGITS / 2; i++) {
      seconds = (seconds << 8) | (objectId[i] & 0xFF);
    }
    return seconds * MILLIS;
  }

  private static long ofHexDigits(String text) {
    if (text.length() != HEX_DIGITS) {
      return NONE;
    }
    long seconds = 0;
    for (int i = 0; i < HEX_DIGITS; i++) {
      int digit = text.charAt(i) < 0x80 ? Character.digit(text.charAt(i), 16) : -1;
      if (digit < 0) {
        return NONE;
      }
      seconds = i < TIME_DIGITS ? (seconds << 4) | digit : seconds;
    }
    return seconds * MILLIS;
  }
}
