package dev.mayfly.engine.storage;

import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.expiry.HeaderFields;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;

/** A document's own {@code ttl}: the root field of that name. */
public final class OwnTtl {
  private static final String FIELD = "ttl";

  private OwnTtl() {}

  /**
   * Seconds, {@link HeaderFields#NEVER}, or {@link HeaderFields#NO_TTL} when it is absent or not
   * valid.
   */
  public static int of(Document document) {
    long seconds = seconds(document.field(FIELD));
    boolean valid =
        seconds == HeaderFields.NEVER || (seconds >= 1 && seconds <= TimeToLive.MAX_SECONDS);
    return valid ? (int) seconds : HeaderFields.NO_TTL;
  }

  /** Refuses a document whose {@code ttl} is there but not -1 or 1..2147483647. */
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
