package dev.mayfly.engine.storage;

import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.expiry.HeaderFields;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;

/** Time to live of a single document: the root field {@code ttl}. */
public final class OwnTtl {
  private static final String FIELD = "ttl";

  private OwnTtl() {}

  /**
   * Returns seconds, {@link HeaderFields#NEVER}, or {@link HeaderFields#NO_TTL} if it is absent or
   * invalid.
   */
  public static int of(Document document) {
    long seconds = seconds(document.field(FIELD));
    boolean valid =
        seconds == HeaderFields.NEVER || (seconds >= 1 && seconds <= TimeToLive.MAX_SECONDS);
    return valid ? (int) seconds : HeaderFields.NO_TTL;
  }

  /** Rejects a document whose {@code ttl} exists but is not -1 or 1..2147483647. */
  public static void check(Document document) {
    Value value = document.field(FIELD);
    if (!value.isMissing() && of(document) == HeaderFields.NO_TTL) {
      throw new EngineException(Reason.BAD_TTL, value.toString());
    }
  }

  private static long seconds(Value value) {
    return switch (value.type()) {
      case INT32, INT64 -> value.asLong();
      case DOUBLE, DECIMAL128 -> whole(value.asDouble());
      default -> HeaderFields.NO_TTL;
    };
  }

  private static long whole(double number) {
    return number == Math.rint(number) && !Double.isInfinite(number)
        ? (long) number
        : HeaderFields.NO_TTL;
  }
}
