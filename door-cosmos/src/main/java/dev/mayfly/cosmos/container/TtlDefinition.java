package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Failures;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Json;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/** Parses the time to live in the body of a container. */
final class TtlDefinition {
  private static final String DEFAULT = "defaultTtl";
  private static final String PROPERTY = "ttlPropertyPath";
  private static final String GRACE = "mayflyGraceSeconds";
  private static final long MILLIS = 1000;

  private TtlDefinition() {}

  /**
   * Parses the time to live.
   *
   * @throws CosmosException 400 if a number is out of range, or there is a path without a default
   *     TTL
   */
  static TimeToLive of(Document body) {
    long seconds = seconds(body.field(DEFAULT));
    return TimeToLive.NONE
        .withStrict(true)
        .withDefault(seconds)
        .withProperty(property(body.field(PROPERTY), seconds))
        .withGrace(grace(body.field(GRACE)));
  }

  private static long seconds(Value value) {
    if (Elements.absent(value)) {
      return TimeToLive.OFF;
    }
    long seconds = integer(value);
    boolean fits =
        seconds == TimeToLive.NEVER || (seconds >= 1 && seconds <= TimeToLive.MAX_SECONDS);
    if (!fits) {
      throw CosmosException.wrong(Failures.badTtl(Json.write(value)));
    }
    return seconds;
  }

  /** Returns the value if it is an integer; otherwise 0, which is always rejected. */
  private static long integer(Value value) {
    double number = value.isNumber() ? value.asDouble() : 0;
    return number == Math.rint(number) ? (long) number : 0;
  }

  private static String property(Value value, long seconds) {
    if (Elements.absent(value)) {
      return "";
    }
    if (value.type() != Type.STRING) {
      throw CosmosException.wrong("The property 'ttlPropertyPath' must be a path.");
    }
    if (seconds == TimeToLive.OFF) {
      throw CosmosException.wrong(
          "The property 'ttlPropertyPath' cannot be set when 'defaultTtl' is not specified"
              + " in the collection.");
    }
    return String.join(".", PathSyntax.steps(value.asString()));
  }

  /** Writes the time to live in the form that {@link #of} parses. */
  static void write(TimeToLive ttl, DocumentWriter body) {
    if (ttl.hasDefault()) {
      body.put(DEFAULT, ttl.defaultSeconds());
    }
    if (!ttl.property().isEmpty()) {
      body.put(PROPERTY, "/" + ttl.property().replace('.', '/'));
    }
    if (ttl.graceMillis() > 0) {
      body.put(GRACE, ttl.graceMillis() / MILLIS);
    }
  }

  private static long grace(Value value) {
    if (Elements.absent(value)) {
      return 0;
    }
    if (!value.isNumber() || value.asDouble() < 0) {
      throw CosmosException.wrong("The property '" + GRACE + "' must be a number of seconds.");
    }
    return Math.min(value.asLong(), TimeToLive.MAX_SECONDS) * MILLIS;
  }
}
