package dev.mayfly.mongo.schema;

import dev.mayfly.engine.TimeToLive;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;

/** Validation of {@code expireAfterSeconds} in {@code create} and {@code collMod}. */
final class Expiry {
  private static final long MILLIS = 1000;

  private Expiry() {}

  /**
   * Returns the TTL of a clustered collection, which counts from the date in {@code _id}, if it is
   * valid.
   *
   * @throws CommandException INVALID_OPTIONS
   */
  static long ofId(long seconds, long now) {
    checkNotNegative(seconds);
    if (seconds > Long.MAX_VALUE / MILLIS) {
      throw invalid(
          "TTL index 'expireAfterSeconds' option cannot overflow int64_t when cast as"
              + " milliseconds, found "
              + seconds);
    }
    if (seconds > now / MILLIS) {
      throw invalid(
          "TTL index 'expireAfterSeconds' option cannot exceed time since last epoch ("
              + now / MILLIS
              + ") for time-series collections, found "
              + seconds);
    }
    return seconds;
  }

  /**
   * Returns the TTL of an index, at most {@link Integer#MAX_VALUE}.
   *
   * @param sinceLastWrite whether the index is on {@code _ts}: then -1 is allowed, with which only
   *     documents with their own {@code ttl} expire, and 0 is not
   * @throws CommandException INVALID_OPTIONS
   */
  static long ofIndex(long seconds, boolean sinceLastWrite) {
    if (sinceLastWrite && seconds == 0) {
      throw invalid(
          "'expireAfterSeconds' of a TTL index on '_ts' must be -1 or between 1 and 2147483647");
    }
    if (!sinceLastWrite || seconds != TimeToLive.NEVER) {
      checkNotNegative(seconds);
    }
    return Math.min(seconds, Integer.MAX_VALUE);
  }

  private static void checkNotNegative(long seconds) {
    if (seconds < 0) {
      throw invalid("TTL index 'expireAfterSeconds' option cannot be less than 0");
    }
  }

  private static CommandException invalid(String message) {
    return new CommandException(ErrorCode.INVALID_OPTIONS, message);
  }
}
