package dev.mayfly.engine.model;

import dev.mayfly.engine.TimeToLive;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.TimeFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * TTL rules of the model, by the documentation of MongoDB and Cosmos DB: each deadline is computed
 * from the fields of a document.
 *
 * <p>A rule is identified by its name in a forecast, then {@code #} and a number that distinguishes
 * rules with the same name.
 *
 * @param defaultSeconds as {@link TimeToLive#defaultSeconds()}
 * @param sliding the rules that slide, as {@link TimeToLive#sliding()}
 */
record ModelRules(
    long defaultSeconds,
    String property,
    TimeFormat propertyFormat,
    long idSeconds,
    TimeFormat idFormat,
    List<IndexRule> indexes,
    Set<String> sliding) {

  static final ModelRules NONE =
      new ModelRules(
          TimeToLive.OFF,
          "",
          TimeFormat.SECONDS,
          TimeToLive.OFF,
          TimeFormat.DATE,
          List.of(),
          Set.of());

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
    return (property.isEmpty() ? "" : property + propertyFormat) + slides("default");
  }

  private String slides(String rule) {
    return sliding.contains(rule) ? "sliding" : "";
  }

  private String idRule() {
    return "id#" + idFormat + slides("id");
  }

  private String indexRule(IndexRule index) {
    return index.rule() + slides("index:" + index.name());
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
      lives.put(idRule(), idSeconds * 1000);
    }
    for (IndexRule index : indexes) {
      lives.put(indexRule(index), index.seconds() * 1000);
    }
    return lives;
  }

  /** The deadline of a document by each rule that applies to it. */
  Map<String, Long> deadlines(ModelDocument document) {
    Map<String, Long> deadlines = new TreeMap<>();
    starts(document)
        .forEach((rule, start) -> deadlines.put(rule, later(start, seconds(rule, document))));
    return deadlines;
  }

  private long seconds(String rule, ModelDocument document) {
    return rule.startsWith("own#")
        ? ModelDocument.ttl(document.fields()).orElseThrow()
        : lives().getOrDefault(rule, 0L) / 1000;
  }

  /** Where the life of a document starts by each rule that applies to it. */
  private Map<String, Long> starts(ModelDocument document) {
    Map<String, Long> starts = new TreeMap<>();
    Map<String, Object> fields = document.fields();
    OptionalLong base =
        property.isEmpty()
            ? sliding.contains("default")
                ? OptionalLong.of(document.usedAt())
                : second(document.writtenAt())
            : used("default", second(fields), document);
    OptionalLong own = ModelDocument.ttl(fields);
    if (defaultSeconds > 0 && base.isPresent() && own.isEmpty()) {
      starts.put("default#" + start(), base.getAsLong());
    }
    if (defaultSeconds != TimeToLive.OFF && base.isPresent() && own.orElse(-1) > 0) {
      starts.put("own#" + start(), base.getAsLong());
    }
    OptionalLong id = ModelDocument.time(document.key().id(), idFormat);
    if (idSeconds != TimeToLive.OFF && id.isPresent() && id.getAsLong() >= 0) {
      starts.put(idRule(), used("id", id, document).getAsLong());
    }
    for (IndexRule index : indexes) {
      OptionalLong date = used("index:" + index.name(), index.date(fields), document);
      if (date.isPresent()) {
        starts.put(indexRule(index), date.getAsLong());
      }
    }
    return starts;
  }

  /** The last use of a document if it is later than a time and the rule slides. */
  private OptionalLong used(String rule, OptionalLong time, ModelDocument document) {
    return time.isPresent() && sliding.contains(rule)
        ? OptionalLong.of(Math.max(time.getAsLong(), document.usedAt()))
        : time;
  }

  /** The earliest start of a life by a rule that slides. */
  long earliestUse(ModelDocument document) {
    return starts(document).entrySet().stream()
        .filter(start -> start.getKey().endsWith("sliding"))
        .mapToLong(Map.Entry::getValue)
        .min()
        .orElse(Long.MAX_VALUE);
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
