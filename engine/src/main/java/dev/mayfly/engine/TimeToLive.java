package dev.mayfly.engine;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rules of time to live of a collection.
 *
 * <pre>{@code
 * TimeToLive.NONE.withDefault(3_600);              // one hour after the last write
 * TimeToLive.NONE.withDefault(TimeToLive.NEVER);   // only documents with a ttl
 * TimeToLive.NONE.withIndex("seen_1", 60)          // a minute after the date in the field
 *     .withGrace(600_000);                         // a change can be undone for ten minutes
 * }</pre>
 *
 * @param defaultSeconds TTL in seconds since the last write, {@link #OFF}, or {@link #NEVER} (only
 *     documents with a {@code ttl} expire)
 * @param property a dotted path whose value, in epoch seconds, counts instead of the last write;
 *     empty for the last write. A document without it does not expire
 * @param strict whether a document with an invalid {@code ttl} is rejected, also if TTL is off;
 *     else an invalid value counts as absent
 * @param indexes seconds after the (earliest) date in the field of the index of that name
 * @param idSeconds seconds after the date in the id, or {@link #OFF}
 * @param graceMillis how long the sweep waits before it removes expired documents, so that a rule
 *     change can be undone
 */
public record TimeToLive(
    long defaultSeconds,
    String property,
    boolean strict,
    Map<String, Long> indexes,
    long idSeconds,
    long graceMillis) {
  /** No time to live. */
  public static final long OFF = Long.MIN_VALUE;

  /** No default TTL: documents expire by their own {@code ttl} only. */
  public static final long NEVER = -1;

  /** The longest TTL in seconds that both protocols support. */
  public static final long MAX_SECONDS = Integer.MAX_VALUE;

  /** The longest grace in milliseconds: as long as the longest TTL. */
  public static final long MAX_GRACE_MILLIS = MAX_SECONDS * 1000;

  /** Nothing expires. */
  public static final TimeToLive NONE = new TimeToLive(OFF, "", false, Map.of(), OFF, 0);

  public TimeToLive {
    indexes = Map.copyOf(indexes);
    boolean fits =
        defaultSeconds == OFF
            || defaultSeconds == NEVER
            || (defaultSeconds >= 1 && defaultSeconds <= MAX_SECONDS);
    require(fits, "the default TTL is -1 or 1..2147483647 seconds");
    require(property.isEmpty() || defaultSeconds != OFF, "a TTL property needs a default TTL");
    require(
        idSeconds == OFF || (idSeconds >= 0 && idSeconds <= MAX_SECONDS),
        "a TTL on the id has 0..2147483647 seconds");
    require(
        graceMillis >= 0 && graceMillis <= MAX_GRACE_MILLIS, "the grace is 0..2147483647 seconds");
    for (long seconds : indexes.values()) {
      require(seconds >= 0 && seconds <= MAX_SECONDS, "a TTL index has 0..2147483647 seconds");
    }
  }

  /** Returns this with a default TTL in seconds, {@link #NEVER} or {@link #OFF}. */
  public TimeToLive withDefault(long seconds) {
    return new TimeToLive(seconds, property, strict, indexes, idSeconds, graceMillis);
  }

  /** Returns this counting from a property instead of the last write. */
  public TimeToLive withProperty(String path) {
    return new TimeToLive(defaultSeconds, path, strict, indexes, idSeconds, graceMillis);
  }

  public TimeToLive withStrict(boolean on) {
    return new TimeToLive(defaultSeconds, property, on, indexes, idSeconds, graceMillis);
  }

  /** Returns this with a rule on an index, or without one if {@code seconds} is {@link #OFF}. */
  public TimeToLive withIndex(String index, long seconds) {
    Map<String, Long> changed = new TreeMap<>(indexes);
    if (seconds == OFF) {
      changed.remove(index);
    } else {
      changed.put(index, seconds);
    }
    return new TimeToLive(defaultSeconds, property, strict, changed, idSeconds, graceMillis);
  }

  /** Returns this with other rules on indexes. */
  public TimeToLive withIndexes(Map<String, Long> rules) {
    return new TimeToLive(defaultSeconds, property, strict, rules, idSeconds, graceMillis);
  }

  /** Returns this with a rule on the id, or without one if {@code seconds} is {@link #OFF}. */
  public TimeToLive withId(long seconds) {
    return new TimeToLive(defaultSeconds, property, strict, indexes, seconds, graceMillis);
  }

  public TimeToLive withGrace(long millis) {
    return new TimeToLive(defaultSeconds, property, strict, indexes, idSeconds, millis);
  }

  /** Returns whether documents expire by their last write or a property. */
  public boolean hasDefault() {
    return defaultSeconds != OFF;
  }

  public Document toDocument() {
    DocumentWriter writer =
        Document.writer()
            .put("default", defaultSeconds)
            .put("property", property)
            .put("strict", strict)
            .put("id", idSeconds)
            .put("grace", graceMillis)
            .startDocument("indexes");
    indexes.forEach(writer::put);
    return writer.end().build();
  }

  /** Reads the stored form; values from before there was a limit become the longest allowed. */
  public static TimeToLive of(Document document) {
    Map<String, Long> indexes = new TreeMap<>();
    Fields fields = document.field("indexes").asDocument().fields();
    while (fields.next()) {
      indexes.put(fields.name(), fields.value().asLong());
    }
    return new TimeToLive(
        document.field("default").asLong(),
        document.field("property").asString(),
        document.field("strict").asBoolean(),
        indexes,
        Math.min(document.field("id").asLong(), MAX_SECONDS),
        Math.min(document.field("grace").asLong(), MAX_GRACE_MILLIS));
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new EngineException(EngineException.Reason.BAD_SPEC, rule);
    }
  }
}
