package dev.mayfly.engine.model;

import dev.mayfly.engine.TimeToLive;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.TimeFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * TTL rules of the model, by the documentation of MongoDB and Cosmos DB: each deadline is computed
 * from the fields of a document.
 *
 * <p>A rule is identified by its name in a forecast, then {@code #} and a number that distinguishes
 * rules with the same name.
 *
 * @param defaultSeconds as {@link TimeToLive#defaultSeconds()}
 */
record ModelRules(
    long defaultSeconds,
    String property,
    TimeFormat propertyFormat,
    long idSeconds,
    TimeFormat idFormat,
    List<IndexRule> indexes) {

  static final ModelRules NONE =
      new ModelRules(
          TimeToLive.OFF, "", TimeFormat.SECONDS, TimeToLive.OFF, TimeFormat.DATE, List.of());

  /**
   * A TTL index.
   *
   * @param generation distinguishes it from an earlier index with the same name
   * @param onlyColour documents of another colour are not in the index; empty for all
   */
  record IndexRule(
      String name,
      int generation,
      String path,
      String onlyColour,
      TimeFormat format,
      long seconds) {
    String rule() {
      return "index:" + name + "#" + generation + format;
    }

    OptionalLong date(Map<String, Object> fields) {
      boolean indexed =
          onlyColour.isEmpty() || ModelDocument.ends(fields, "colour").contains(onlyColour);
      return indexed ? ModelDocument.earliestTime(fields, path, format) : OptionalLong.empty();
    }
  }

  /** What the default TTL counts from. */
  private String start() {
    return property.isEmpty() ? "" : property + propertyFormat;
  }

  /** The TTL of each rule, in milliseconds. */
  Map<String, Long> lives() {
    Map<String, Long> lives = new TreeMap<>();
    if (defaultSeconds > 0) {
      lives.put("default#" + start(), defaultSeconds * 1000);
    }
    if (defaultSeconds != TimeToLive.OFF) {
      lives.put("own#" + start(), 0L);
    }
    if (idSeconds != TimeToLive.OFF) {
      lives.put("id#" + idFormat, idSeconds * 1000);
    }
    for (IndexRule index : indexes) {
      lives.put(index.rule(), index.seconds() * 1000);
    }
    return lives;
  }

  /** The deadline of a document by each rule that applies to it. */
  Map<String, Long> deadlines(ModelDocument document) {
    Map<String, Long> deadlines = new TreeMap<>();
    Map<String, Object> fields = document.fields();
    OptionalLong base = property.isEmpty() ? second(document.writtenAt()) : second(fields);
    OptionalLong own = ModelDocument.ttl(fields);
    if (defaultSeconds > 0 && base.isPresent() && own.isEmpty()) {
      deadlines.put("default#" + start(), later(base.getAsLong(), defaultSeconds));
    }
    if (defaultSeconds != TimeToLive.OFF && base.isPresent() && own.orElse(-1) > 0) {
      deadlines.put("own#" + start(), later(base.getAsLong(), own.getAsLong()));
    }
    OptionalLong id = ModelDocument.time(document.key().id(), idFormat);
    if (idSeconds != TimeToLive.OFF && id.isPresent() && id.getAsLong() >= 0) {
      deadlines.put("id#" + idFormat, later(id.getAsLong(), idSeconds));
    }
    for (IndexRule index : indexes) {
      OptionalLong date = index.date(fields);
      if (date.isPresent()) {
        deadlines.put(index.rule(), later(date.getAsLong(), index.seconds()));
      }
    }
    return deadlines;
  }

  /** The earliest deadline, or never. */
  long deadline(ModelDocument document) {
    return deadlines(document).values().stream()
        .mapToLong(Long::longValue)
        .min()
        .orElse(Deadline.NEVER);
  }

  private static OptionalLong second(long millis) {
    return OptionalLong.of(Math.floorDiv(millis, 1000) * 1000);
  }

  private OptionalLong second(Map<String, Object> fields) {
    if (propertyFormat != TimeFormat.SECONDS) {
      Object value = fields.get(property);
      return value == null ? OptionalLong.empty() : ModelDocument.time(value, propertyFormat);
    }
    return fields.get(property) instanceof Number seconds
        ? OptionalLong.of((long) Math.floor(seconds.doubleValue()) * 1000)
        : OptionalLong.empty();
  }

  private static long later(long millis, long seconds) {
    long later = millis + seconds * 1000;
    return later < millis ? Deadline.NEVER : later;
  }
}
