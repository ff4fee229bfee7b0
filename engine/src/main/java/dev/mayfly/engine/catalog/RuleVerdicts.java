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
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
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
    Kind kind =
        ttl == HeaderFields.NO_TTL
            ? byProperty ? Kind.PROPERTY : Kind.INHERITED
            : byProperty ? Kind.PROPERTY_OWN : Kind.OWN;
    return deadline(rule, kind, rules.property())
        .orElseGet(() -> byProperty ? withoutNumber(rule) : tooFar(rule));
  }

  private RuleVerdict withoutNumber(String rule) {
    String name = rules.property();
    Value value = document.at(FieldPath.of(name));
    if (value.isMissing()) {
      return RuleVerdict.never(rule, Never.MISSING, "`" + name + "` is missing.");
    }
    return value.isNumber()
        ? tooFar(rule)
        : RuleVerdict.never(rule, Never.TYPE, typed("`" + name + "`", value.type(), "a number"));
  }

  private RuleVerdict byId() {
    return deadline("id", Kind.ID, "").orElseGet(this::withoutDatedId);
  }

  private RuleVerdict withoutDatedId() {
    Value id = document.at(state.spec().dialect().id());
    if (id.type() != Type.DATE) {
      return RuleVerdict.never("id", Never.TYPE, typed("The id", id.type(), "a date"));
    }
    return id.asDate() < 0
        ? RuleVerdict.never("id", Never.BEFORE_EPOCH, "The date in the id is before 1970.")
        : tooFar("id");
  }

  private RuleVerdict byIndex(String name) {
    String rule = "index:" + name;
    Optional<IndexState> index = state.index(name);
    if (index.filter(IndexState::ready).isEmpty()) {
      return RuleVerdict.never(rule, Never.BUILDING, "The index `" + name + "` is not built yet.");
    }
    return deadline(rule, Kind.INDEX, name).orElseGet(() -> withoutDate(rule, index.get().spec()));
  }

  private RuleVerdict withoutDate(String rule, IndexSpec index) {
    Filter filter = index.partial();
    if (!filter.equals(Filter.all())
        && !filter.matcher(state.spec().dialect().mode()).matches(document)) {
      return RuleVerdict.never(
          rule, Never.FILTER, "The filter of the index `" + index.name() + "` does not match.");
    }
    FieldPath path = index.parts().getFirst().path();
    String name = "`" + path + "`";
    Value value = document.at(path);
    if (value.isArray()) {
      return RuleVerdict.never(rule, Never.NO_DATE, name + " is an array without a date.");
    }
    if (value.isMissing()) {
      return throughArray(path)
          ? RuleVerdict.never(rule, Never.NO_DATE, name + " leads through an array to no date.")
          : RuleVerdict.never(rule, Never.MISSING, name + " is missing.");
    }
    return value.type() == Type.DATE
        ? tooFar(rule)
        : RuleVerdict.never(rule, Never.TYPE, typed(name, value.type(), "a date"));
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
  private Optional<RuleVerdict> deadline(String rule, Kind kind, String source) {
    return state
        .lane(kind, source)
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
