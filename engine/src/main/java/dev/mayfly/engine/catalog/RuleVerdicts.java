package dev.mayfly.engine.catalog;

import dev.mayfly.engine.ExpiryService.Never;
import dev.mayfly.engine.ExpiryService.RuleVerdict;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.catalog.LaneState.Kind;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.HeaderFields;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Verdicts of the rules of a collection on a stored document: its deadline, or why there is none.
 * Deadlines come from the lanes, as everywhere; only reasons are found here. Pure functions.
 */
public final class RuleVerdicts {
  private static final String OWN = "own";
  private static final String DEFAULT = "default";

  private final CollectionState state;
  private final TimeToLive rules;
  private final List<Lane> lanes;
  private final byte[] record;
  private final Document document;

  private RuleVerdicts(CollectionState state, byte[] record) {
    this.state = state;
    this.rules = state.spec().timeToLive();
    this.lanes = Rules.lanes(state, rules);
    this.record = record;
    this.document = Document.trusted(record, Header.length(record, 0));
  }

  /**
   * Returns the verdicts of all rules: the default TTL or own {@code ttl}, the id, the indexes by
   * name. A collection without rules has one verdict with the reason. Pausing has no effect.
   */
  public static List<RuleVerdict> of(CollectionState state, byte[] record) {
    return new RuleVerdicts(state, record).all();
  }

  /**
   * Returns what a document has in the field that a rule reads, by the names of {@link #of}. A
   * missing field is left out.
   */
  public static Map<String, Value> values(CollectionState state, byte[] record) {
    RuleVerdicts document = new RuleVerdicts(state, record);
    Map<String, Value> values = new TreeMap<>();
    document.values().forEach((rule, value) -> add(rule, value, values));
    return values;
  }

  private static void add(String rule, Value value, Map<String, Value> values) {
    if (!value.isMissing()) {
      values.put(rule, value);
    }
  }

  private Map<String, Value> values() {
    Map<String, Value> values = new TreeMap<>();
    if (rules.hasDefault()) {
      boolean own = Header.ttl(record, 0) != HeaderFields.NO_TTL;
      values.put(
          own ? OWN : DEFAULT,
          own || rules.property().isEmpty()
              ? document.field("ttl")
              : document.at(FieldPath.of(rules.property())));
    }
    if (rules.idSeconds() != TimeToLive.OFF) {
      values.put("id", document.at(state.spec().dialect().id()));
    }
    for (String index : rules.indexes().keySet()) {
      state
          .index(index)
          .ifPresent(
              found ->
                  values.put(
                      TimeToLive.INDEX_RULE + index,
                      document.at(found.spec().parts().getFirst().path())));
    }
    return values;
  }

  private List<RuleVerdict> all() {
    List<RuleVerdict> verdicts = new ArrayList<>();
    if (rules.hasDefault()) {
      verdicts.add(byLastWriteOrProperty());
    }
    if (rules.idSeconds() != TimeToLive.OFF) {
      verdicts.add(byId());
    }
    for (String index : new TreeMap<>(rules.indexes()).keySet()) {
      verdicts.add(byIndex(index));
    }
    if (verdicts.isEmpty()) {
      verdicts.add(
          Header.ttl(record, 0) == HeaderFields.NO_TTL
              ? RuleVerdict.never("", Never.NO_RULE, "The collection has no TTL rule.")
              : RuleVerdict.never(
                  "",
                  Never.DEFAULT_OFF,
                  "`ttl` has no effect: the collection has no default TTL, not even -1."));
    }
    return verdicts;
  }

  private RuleVerdict byLastWriteOrProperty() {
    int ttl = Header.ttl(record, 0);
    String rule = ttl == HeaderFields.NO_TTL ? DEFAULT : OWN;
    if (ttl == HeaderFields.NEVER) {
      return RuleVerdict.never(rule, Never.TTL_NEVER, "`ttl` is -1.");
    }
    if (ttl == HeaderFields.NO_TTL && rules.defaultSeconds() == TimeToLive.NEVER) {
      String why =
          document.field("ttl").isMissing()
              ? "The default TTL is -1, and there is no `ttl`."
              : "The default TTL is -1, and `ttl` is invalid.";
      return RuleVerdict.never(rule, Never.NO_DEFAULT, why);
    }
    boolean byProperty = !rules.property().isEmpty();
    boolean slides = rules.slides(DEFAULT);
    boolean stored = byProperty || slides;
    Kind kind =
        ttl == HeaderFields.NO_TTL
            ? stored ? Kind.PROPERTY : Kind.INHERITED
            : stored ? Kind.PROPERTY_OWN : Kind.OWN;
    TimeFormat format = byProperty ? rules.propertyFormat() : kind.standardFormat();
    return deadline(rule, kind, rules.property(), format, slides)
        .orElseGet(() -> byProperty ? withoutTimeInProperty(rule) : tooFar(rule));
  }

  private RuleVerdict withoutTimeInProperty(String rule) {
    String name = "`" + rules.property() + "`";
    Value value = document.at(FieldPath.of(rules.property()));
    return value.isMissing()
        ? RuleVerdict.never(rule, Never.MISSING, name + " is missing.")
        : wrongValue(rule, name, value, rules.propertyFormat());
  }

  private RuleVerdict byId() {
    return deadline("id", Kind.ID, "", rules.idFormat(), rules.slides("id"))
        .orElseGet(this::withoutTimeInId);
  }

  private RuleVerdict withoutTimeInId() {
    Value id = document.at(state.spec().dialect().id());
    TimeFormat format = rules.idFormat();
    return format.of(id) < 0
        ? RuleVerdict.never("id", Never.BEFORE_EPOCH, "The date in the id is before 1970.")
        : wrongValue("id", "The id", id, format);
  }

  /** Returns why a value has no time, or none that is early enough. */
  private static RuleVerdict wrongValue(String rule, String what, Value value, TimeFormat format) {
    if (!format.accepts(value.type())) {
      return RuleVerdict.never(rule, Never.TYPE, typed(what, value.type(), format.wanted()));
    }
    return format.of(value) == TimeFormat.NONE && format != TimeFormat.DATE
        ? RuleVerdict.never(rule, Never.VALUE, what + " is " + notInFormat(format) + ".")
        : tooFar(rule);
  }

  private static String notInFormat(TimeFormat format) {
    return switch (format) {
      case DATE, SECONDS, MILLISECONDS -> "a number out of range";
      case ISO_8601 -> "a string, but not an ISO 8601 time";
      case OBJECT_ID -> "a string, but not the 24 digits of an ObjectId";
    };
  }

  private RuleVerdict byIndex(String name) {
    String rule = "index:" + name;
    Optional<IndexState> index = state.index(name);
    if (index.filter(IndexState::ready).isEmpty()) {
      return RuleVerdict.never(rule, Never.BUILDING, "The index `" + name + "` is not built yet.");
    }
    TimeFormat format = rules.indexFormat(name);
    return deadline(rule, Kind.INDEX, name, format, rules.slides(rule))
        .orElseGet(() -> withoutTime(rule, index.get().spec(), format));
  }

  private RuleVerdict withoutTime(String rule, IndexSpec index, TimeFormat format) {
    Filter filter = index.partial();
    if (!filter.equals(Filter.all())
        && !filter.matcher(state.spec().dialect().mode()).matches(document)) {
      return RuleVerdict.never(
          rule, Never.FILTER, "The filter of the index `" + index.name() + "` does not match.");
    }
    FieldPath path = index.parts().getFirst().path();
    String name = "`" + path + "`";
    Value value = document.at(path);
    String noun = format == TimeFormat.DATE ? "date" : "time in the format " + format.code();
    String wanted = "a " + noun;
    if (value.isArray()) {
      return RuleVerdict.never(rule, Never.NO_DATE, name + " is an array without " + wanted + ".");
    }
    if (value.isMissing()) {
      return throughArray(path)
          ? RuleVerdict.never(
              rule, Never.NO_DATE, name + " leads through an array to no " + noun + ".")
          : RuleVerdict.never(rule, Never.MISSING, name + " is missing.");
    }
    return wrongValue(rule, name, value, format);
  }

  private boolean throughArray(FieldPath path) {
    List<String> steps = new ArrayList<>();
    for (int i = 0; i + 1 < path.length(); i++) {
      steps.add(path.step(i));
      if (document.at(FieldPath.of(steps)).isArray()) {
        return true;
      }
    }
    return false;
  }

  private static RuleVerdict tooFar(String rule) {
    return RuleVerdict.never(rule, Never.TOO_FAR, "The deadline is beyond all dates.");
  }

  /** Returns the deadline in the lane of a rule; empty if the document is not in the lane. */
  private Optional<RuleVerdict> deadline(
      String rule, Kind kind, String source, TimeFormat format, boolean sliding) {
    return state
        .lane(kind, source, format, sliding)
        .flatMap(
            state -> lanes.stream().filter(lane -> lane.number() == state.number()).findFirst())
        .map(lane -> Deadline.of(Schedule.placeOf(lane, record), lane.lifeMillis()))
        .filter(deadline -> deadline != Deadline.NEVER)
        .map(deadline -> RuleVerdict.expires(rule, deadline));
  }

  private static String typed(String what, Type type, String wanted) {
    return what + " is " + article(type) + ", not " + wanted + ".";
  }

  private static String article(Type type) {
    return switch (type) {
      case DOUBLE, INT32, INT64, DECIMAL128 -> "a number";
      case STRING, SYMBOL -> "a string";
      case OBJECT -> "an object";
      case ARRAY -> "an array";
      case BINARY -> "binary data";
      case OBJECT_ID -> "an ObjectId";
      case BOOLEAN -> "a boolean";
      case DATE -> "a date";
      case NULL -> "null";
      case REGEX -> "a regular expression";
      case TIMESTAMP -> "a timestamp";
      case CODE, CODE_WITH_SCOPE -> "code";
      case UNDEFINED, MISSING -> "undefined";
      case DB_POINTER -> "a DBPointer";
      case MIN_KEY -> "MinKey";
      case MAX_KEY -> "MaxKey";
    };
  }
}
