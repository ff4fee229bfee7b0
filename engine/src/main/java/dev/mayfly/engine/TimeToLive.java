package dev.mayfly.engine;

import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Rules of time to live of a collection.
 *
 * <pre>{@code
 * TimeToLive.NONE.withDefault(3_600);              // one hour after the last write
 * TimeToLive.NONE.withDefault(TimeToLive.NEVER);   // only documents with a ttl
 * TimeToLive.NONE.withIndex("seen_1", 60)          // a minute after the date in the field
 *     .withGrace(600_000);                         // a change can be undone for ten minutes
 * TimeToLive.NONE.withIndex("end_1", 0)            // at the time in the field,
 *     .withIndexFormat("end_1", TimeFormat.SECONDS); // a number of seconds since 1970
 * TimeToLive.NONE.withDefault(1_800)               // half an hour after the last write or read
 *     .withSliding(TimeToLive.PROPERTY_RULE);
 * }</pre>
 *
 * @param defaultSeconds TTL in seconds since the last write, {@link #OFF}, or {@link #NEVER} (only
 *     documents with a {@code ttl} expire)
 * @param property a dotted path whose value counts instead of the last write, in epoch seconds
 *     unless there is another format; empty for the last write. A document without it does not
 *     expire
 * @param strict whether a document with an invalid {@code ttl} is rejected, also if TTL is off;
 *     else an invalid value counts as absent
 * @param indexes seconds after the (earliest) date in the field of the index of that name
 * @param idSeconds seconds after the date in the id, or {@link #OFF}
 * @param formats formats of the times in fields that are not the standard ones, by rule: {@link
 *     #PROPERTY_RULE}, {@link #ID_RULE}, or {@link #INDEX_RULE} and the name of the index
 * @param sliding the rules whose lives start again with each read of a document, by rule as in
 *     {@code formats}
 * @param graceMillis how long the sweep waits before it removes expired documents, so that a rule
 *     change can be undone
 */
public record TimeToLive(
    long defaultSeconds,
    String property,
    boolean strict,
    Map<String, Long> indexes,
    long idSeconds,
    Map<String, TimeFormat> formats,
    Map<String, Sliding> sliding,
    long graceMillis) {
  /** The rule of the property, in {@link #formats}. */
  public static final String PROPERTY_RULE = "default";

  /** The rule of the id, in {@link #formats}. */
  public static final String ID_RULE = "id";

  /** Prefix of the rules of indexes, in {@link #formats}. */
  public static final String INDEX_RULE = "index:";

  /** No time to live. */
  public static final long OFF = Long.MIN_VALUE;

  /** No default TTL: documents expire by their own {@code ttl} only. */
  public static final long NEVER = -1;

  /** The longest TTL in seconds that both protocols support. */
  public static final long MAX_SECONDS = Integer.MAX_VALUE;

  /** The longest grace in milliseconds: as long as the longest TTL. */
  public static final long MAX_GRACE_MILLIS = MAX_SECONDS * 1000;

  /** Nothing expires. */
  public static final TimeToLive NONE =
      new TimeToLive(OFF, "", false, Map.of(), OFF, Map.of(), Map.of(), 0);

  public TimeToLive {
    indexes = Map.copyOf(indexes);
    formats = used(formats, property, idSeconds, indexes);
    sliding = usedSliding(sliding, defaultSeconds, idSeconds, indexes);
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
    for (String rule : sliding.keySet()) {
      boolean lives =
          switch (rule) {
            case PROPERTY_RULE -> true;
            case ID_RULE -> idSeconds > 0;
            default -> indexes.getOrDefault(rule.substring(INDEX_RULE.length()), 0L) > 0;
          };
      require(lives, "a sliding rule has a TTL of at least a second");
    }
  }

  /**
   * Sliding expiry of a rule: a document lives for the TTL of the rule after it was last read or
   * written.
   *
   * @param slackSeconds how much a crash may shorten a life at most; 0 for {@link #DEFAULT_SHARE}
   *     of the life, at least a second
   * @param queries whether each document that a query returns counts as read, not only documents
   *     that are read by their id
   */
  public record Sliding(long slackSeconds, boolean queries) {
    /** Sliding expiry with the standard options. */
    public static final Sliding STANDARD = new Sliding(0, false);

    /** The standard slack: a life divided by this. */
    public static final long DEFAULT_SHARE = 20;

    private static final long MIN_SLACK_MILLIS = 1000;

    public Sliding {
      require(
          slackSeconds >= 0 && slackSeconds <= MAX_SECONDS,
          "the slack of a sliding rule is 1..2147483647 seconds");
    }

    /**
     * Returns the options in the form of requests: a boolean, or an object with {@code
     * slackSeconds} and {@code queries}. Empty for false and for a missing value.
     *
     * @throws EngineException BAD_SPEC
     */
    public static Optional<Sliding> of(Value form) {
      if (form.isMissing()) {
        return Optional.empty();
      }
      if (form.type() == Type.BOOLEAN) {
        return form.asBoolean() ? Optional.of(STANDARD) : Optional.empty();
      }
      require(
          form.type() == Type.OBJECT,
          "a sliding rule is true, false or an object with slackSeconds and queries");
      long slack = 0;
      boolean queries = false;
      Fields fields = form.asDocument().fields();
      while (fields.next()) {
        Value value = fields.value();
        switch (fields.name()) {
          case "slackSeconds" -> {
            boolean whole = value.isNumber() && value.asDouble() == Math.rint(value.asDouble());
            require(
                whole && value.asDouble() >= 1 && value.asDouble() <= MAX_SECONDS,
                "the slack of a sliding rule is 1..2147483647 seconds");
            slack = (long) value.asDouble();
          }
          case "queries" -> {
            require(value.type() == Type.BOOLEAN, "'queries' of a sliding rule is true or false");
            queries = value.asBoolean();
          }
          default -> require(false, "a sliding rule has no option '" + fields.name() + "'");
        }
      }
      return Optional.of(new Sliding(slack, queries));
    }

    /** Returns the form of {@link #of}. */
    public Value form() {
      if (equals(STANDARD)) {
        return Value.of(true);
      }
      DocumentWriter writer = Document.writer();
      if (slackSeconds > 0) {
        writer.put("slackSeconds", slackSeconds);
      }
      return Value.of(writer.put("queries", queries).build());
    }

    /** Returns the slack of a life in milliseconds. */
    public long slackMillis(long lifeMillis) {
      return slackSeconds > 0
          ? slackSeconds * 1000
          : Math.max(lifeMillis / DEFAULT_SHARE, MIN_SLACK_MILLIS);
    }
  }

  /** Returns the sliding options of existing rules. */
  private static Map<String, Sliding> usedSliding(
      Map<String, Sliding> sliding, long byDefault, long id, Map<String, Long> indexes) {
    if (sliding.isEmpty()) {
      return Map.of();
    }
    Map<String, Sliding> used = new TreeMap<>();
    sliding.forEach(
        (rule, options) -> {
          boolean exists =
              switch (rule) {
                case PROPERTY_RULE -> byDefault != OFF;
                case ID_RULE -> id != OFF;
                default ->
                    rule.startsWith(INDEX_RULE)
                        && indexes.containsKey(rule.substring(INDEX_RULE.length()));
              };
          if (exists) {
            used.put(rule, options);
          }
        });
    return Map.copyOf(used);
  }

  /** Returns the formats of existing rules that are not the standard ones. */
  private static Map<String, TimeFormat> used(
      Map<String, TimeFormat> formats, String property, long id, Map<String, Long> indexes) {
    if (formats.isEmpty()) {
      return Map.of();
    }
    Map<String, TimeFormat> used = new TreeMap<>();
    formats.forEach(
        (rule, format) -> {
          boolean exists =
              switch (rule) {
                case PROPERTY_RULE -> !property.isEmpty();
                case ID_RULE -> id != OFF;
                default ->
                    rule.startsWith(INDEX_RULE)
                        && indexes.containsKey(rule.substring(INDEX_RULE.length()));
              };
          if (exists && format != standardFormat(rule)) {
            used.put(rule, format);
          }
        });
    return Map.copyOf(used);
  }

  private static TimeFormat standardFormat(String rule) {
    return rule.equals(PROPERTY_RULE) ? TimeFormat.SECONDS : TimeFormat.DATE;
  }

  /** Returns this with a default TTL in seconds, {@link #NEVER} or {@link #OFF}. */
  public TimeToLive withDefault(long seconds) {
    return new TimeToLive(
        seconds, property, strict, indexes, idSeconds, formats, sliding, graceMillis);
  }

  /** Returns this counting from a property instead of the last write. */
  public TimeToLive withProperty(String path) {
    return new TimeToLive(
        defaultSeconds, path, strict, indexes, idSeconds, formats, sliding, graceMillis);
  }

  public TimeToLive withStrict(boolean on) {
    return new TimeToLive(
        defaultSeconds, property, on, indexes, idSeconds, formats, sliding, graceMillis);
  }

  /** Returns this with a rule on an index, or without one if {@code seconds} is {@link #OFF}. */
  public TimeToLive withIndex(String index, long seconds) {
    Map<String, Long> changed = new TreeMap<>(indexes);
    if (seconds == OFF) {
      changed.remove(index);
    } else {
      changed.put(index, seconds);
    }
    return new TimeToLive(
        defaultSeconds, property, strict, changed, idSeconds, formats, sliding, graceMillis);
  }

  /** Returns this with other rules on indexes. */
  public TimeToLive withIndexes(Map<String, Long> rules) {
    return new TimeToLive(
        defaultSeconds, property, strict, rules, idSeconds, formats, sliding, graceMillis);
  }

  /** Returns this with a rule on the id, or without one if {@code seconds} is {@link #OFF}. */
  public TimeToLive withId(long seconds) {
    return new TimeToLive(
        defaultSeconds, property, strict, indexes, seconds, formats, sliding, graceMillis);
  }

  /** Returns the format of the property; {@link TimeFormat#SECONDS} is the standard. */
  public TimeFormat propertyFormat() {
    return format(PROPERTY_RULE);
  }

  /** Returns the format of the id; {@link TimeFormat#DATE} is the standard. */
  public TimeFormat idFormat() {
    return format(ID_RULE);
  }

  /** Returns the format of the field of an index; {@link TimeFormat#DATE} is the standard. */
  public TimeFormat indexFormat(String index) {
    return format(INDEX_RULE + index);
  }

  private TimeFormat format(String rule) {
    TimeFormat format = formats.isEmpty() ? null : formats.get(rule);
    return format == null ? standardFormat(rule) : format;
  }

  /** Returns this with a format of the property. Without a property it has no effect. */
  public TimeToLive withPropertyFormat(TimeFormat format) {
    return withFormat(PROPERTY_RULE, format);
  }

  /** Returns this with a format of the id. Without a rule on the id it has no effect. */
  public TimeToLive withIdFormat(TimeFormat format) {
    return withFormat(ID_RULE, format);
  }

  /** Returns this with a format of an index. Without a rule on the index it has no effect. */
  public TimeToLive withIndexFormat(String index, TimeFormat format) {
    return withFormat(INDEX_RULE + index, format);
  }

  private TimeToLive withFormat(String rule, TimeFormat format) {
    Map<String, TimeFormat> changed = new TreeMap<>(formats);
    changed.put(rule, format);
    return new TimeToLive(
        defaultSeconds, property, strict, indexes, idSeconds, changed, sliding, graceMillis);
  }

  /** Returns whether a rule slides. */
  public boolean slides(String rule) {
    return !sliding.isEmpty() && sliding.containsKey(rule);
  }

  /** Returns the options of a sliding rule; empty if the rule does not slide. */
  public Optional<Sliding> slidingOf(String rule) {
    return Optional.ofNullable(sliding.get(rule));
  }

  /**
   * Returns this with sliding expiry of a rule. Without the rule it has no effect.
   *
   * @param rule {@code default}, {@code id}, or {@code index:} and the name of the index
   * @param options empty for a rule that does not slide
   */
  public TimeToLive withSliding(String rule, Optional<Sliding> options) {
    Map<String, Sliding> changed = new TreeMap<>(sliding);
    changed.remove(rule);
    options.ifPresent(some -> changed.put(rule, some));
    return new TimeToLive(
        defaultSeconds, property, strict, indexes, idSeconds, formats, changed, graceMillis);
  }

  /** As {@link #withSliding(String, Optional)}, with the standard options. */
  public TimeToLive withSliding(String rule) {
    return withSliding(rule, Optional.of(Sliding.STANDARD));
  }

  public TimeToLive withGrace(long millis) {
    return new TimeToLive(
        defaultSeconds, property, strict, indexes, idSeconds, formats, sliding, millis);
  }

  /**
   * Returns this with a longer life of one rule, at most {@link #MAX_SECONDS}.
   *
   * @param rule {@code default}, {@code id}, or {@code index:} and the name of the index
   * @throws EngineException BAD_SPEC if there is no such rule, or it has no life of its own
   */
  public TimeToLive extended(String rule, long seconds) {
    require(seconds > 0, "a rule is extended by at least a second");
    if (rule.equals(PROPERTY_RULE) && defaultSeconds > 0) {
      return withDefault(longer(defaultSeconds, seconds));
    }
    if (rule.equals(ID_RULE) && idSeconds != OFF) {
      return withId(longer(idSeconds, seconds));
    }
    String index = rule.startsWith(INDEX_RULE) ? rule.substring(INDEX_RULE.length()) : "";
    Long now = indexes.get(index);
    require(now != null, "there is no TTL rule '" + rule + "' with a life to extend");
    return withIndex(index, longer(java.util.Objects.requireNonNull(now), seconds));
  }

  private static long longer(long life, long seconds) {
    return life + Math.min(seconds, MAX_SECONDS - life);
  }

  /** Returns the name of the only rule; empty if there are several or none. */
  public String onlyRule() {
    int rules = indexes.size() + (hasDefault() ? 1 : 0) + (idSeconds == OFF ? 0 : 1);
    if (rules != 1) {
      return "";
    }
    return hasDefault()
        ? PROPERTY_RULE
        : idSeconds == OFF ? INDEX_RULE + indexes.keySet().iterator().next() : ID_RULE;
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
    writer.end();
    if (!formats.isEmpty()) {
      writer.startDocument("formats");
      new TreeMap<>(formats).forEach((rule, format) -> writer.put(rule, format.code()));
      writer.end();
    }
    if (!sliding.isEmpty()) {
      writer.startDocument("sliding");
      new TreeMap<>(sliding)
          .forEach(
              (rule, options) ->
                  writer
                      .startDocument(rule)
                      .put("slack", options.slackSeconds())
                      .put("queries", options.queries())
                      .end());
      writer.end();
    }
    return writer.build();
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
        formats(document.field("formats")),
        sliding(document.field("sliding")),
        Math.min(document.field("grace").asLong(), MAX_GRACE_MILLIS));
  }

  private static Map<String, TimeFormat> formats(Value stored) {
    Map<String, TimeFormat> formats = new TreeMap<>();
    if (!stored.isMissing()) {
      Fields fields = stored.asDocument().fields();
      while (fields.next()) {
        formats.put(fields.name(), TimeFormat.named(fields.value().asString()).orElseThrow());
      }
    }
    return formats;
  }

  private static Map<String, Sliding> sliding(Value stored) {
    Map<String, Sliding> sliding = new TreeMap<>();
    if (!stored.isMissing()) {
      Fields fields = stored.asDocument().fields();
      while (fields.next()) {
        Document options = fields.value().asDocument();
        sliding.put(
            fields.name(),
            new Sliding(options.field("slack").asLong(), options.field("queries").asBoolean()));
      }
    }
    return sliding;
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new EngineException(EngineException.Reason.BAD_SPEC, rule);
    }
  }
}
