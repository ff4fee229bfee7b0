package dev.mayfly.engine.local;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.ExpiryService.NewLife;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.storage.OwnTtl;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.EarliestDate;
import dev.mayfly.expiry.HeaderFields;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Computes documents with other deadlines: changes the field that a rule counts from, or {@code
 * ttl}. Pure functions of the rules at one instant.
 */
final class NewDeadlines {
  private static final String DEFAULT = "default";
  private static final String TTL = "ttl";
  private static final long MILLIS = 1000;

  private final CollectionSpec spec;
  private final TimeToLive rules;
  private final String rule;
  private final NewLife life;

  private NewDeadlines(CollectionSpec spec, String rule, NewLife life) {
    this.spec = spec;
    this.rules = spec.timeToLive();
    this.rule = rule;
    this.life = life;
  }

  /**
   * Checks that a rule can give such deadlines.
   *
   * @param rule its name; empty for the only one
   * @throws EngineException BAD_SPEC
   */
  static NewDeadlines of(CollectionSpec spec, String rule, NewLife life, long now) {
    NewDeadlines deadlines = new NewDeadlines(spec, rule.isEmpty() ? only(spec) : rule, life);
    deadlines.check(now);
    return deadlines;
  }

  private static String only(CollectionSpec spec) {
    TimeToLive rules = spec.timeToLive();
    List<String> names = new ArrayList<>();
    if (rules.hasDefault()) {
      names.add(DEFAULT);
    }
    rules.indexes().keySet().stream()
        .sorted()
        .forEach(index -> names.add(TimeToLive.INDEX_RULE + index));
    if (names.size() != 1) {
      throw bad(
          names.isEmpty()
              ? "the collection has no TTL rule whose deadlines can be set"
              : "the collection has several TTL rules: name one of " + String.join(", ", names));
    }
    return names.getFirst();
  }

  private void check(long now) {
    boolean exists =
        rule.equals(DEFAULT)
            ? rules.hasDefault()
            : rule.startsWith(TimeToLive.INDEX_RULE) && rules.indexes().containsKey(index());
    if (!exists) {
      throw bad("there is no TTL rule '" + rule + "' whose deadlines can be set");
    }
    if (rules.slides(rule) && !(life instanceof NewLife.Restarted)) {
      throw bad("the rule '" + rule + "' slides: its lives can only be restarted");
    }
    boolean inField = !inTtl();
    if (inField && format() == TimeFormat.OBJECT_ID) {
      throw bad("the times of the rule '" + rule + "' are in ObjectIds, which cannot be set");
    }
    switch (life) {
      case NewLife.Restarted() -> {
        if (!rule.equals(DEFAULT) && seconds() == 0) {
          throw bad("the rule '" + rule + "' has a TTL of 0: set a deadline instead");
        }
      }
      case NewLife.Until(long deadline) -> {
        if (deadline <= now) {
          throw bad("the deadline is not in the future");
        }
        if (inField && deadline == Deadline.NEVER) {
          throw bad("the rule '" + rule + "' cannot give the deadline never");
        }
      }
      case NewLife.Extended(long byMillis) -> {
        if (byMillis <= 0) {
          throw bad("deadlines are extended by at least a millisecond");
        }
      }
    }
  }

  /** Whether deadlines are set with the field {@code ttl}. */
  private boolean inTtl() {
    return rule.equals(DEFAULT) && rules.property().isEmpty();
  }

  private String index() {
    return rule.substring(TimeToLive.INDEX_RULE.length());
  }

  private TimeFormat format() {
    return rule.equals(DEFAULT) ? rules.propertyFormat() : rules.indexFormat(index());
  }

  /** The life that the rule gives a document without a {@code ttl}, in seconds. */
  private long seconds() {
    return rule.equals(DEFAULT)
        ? rules.defaultSeconds()
        : rules.indexes().getOrDefault(index(), 0L);
  }

  private FieldPath path() {
    if (rule.equals(DEFAULT)) {
      return FieldPath.of(rules.property());
    }
    return indexSpec().parts().getFirst().path();
  }

  private IndexSpec indexSpec() {
    return spec.indexes().stream()
        .filter(one -> one.name().equals(index()))
        .findFirst()
        .orElseThrow(() -> bad("there is no index '" + index() + "'"));
  }

  /**
   * Returns the document with its new deadline; empty if the rule does not expire it, or its time
   * lies in an array.
   */
  Optional<Document> of(StoredDocument stored, long now) {
    return inTtl()
        ? withTtl(stored, now)
        : withTime(stored.document(), now).filter(this::isInIndex);
  }

  /** Whether a TTL index contains a document: not if it is partial and does not match. */
  private boolean isInIndex(Document document) {
    return rule.equals(DEFAULT)
        || indexSpec().partial().matcher(spec.dialect().mode()).matches(document);
  }

  private Optional<Document> withTtl(StoredDocument stored, long now) {
    Document document = stored.document();
    int own = OwnTtl.of(document);
    long life = own == HeaderFields.NO_TTL ? seconds() : own;
    long second = Math.floorDiv(now, MILLIS) * MILLIS;
    return switch (this.life) {
      case NewLife.Restarted() -> life > 0 ? Optional.of(document) : Optional.empty();
      case NewLife.Until(long deadline) -> Optional.of(withField(document, ttl(deadline, second)));
      case NewLife.Extended(long byMillis) -> {
        long written = Math.floorDiv(stored.writtenAt(), MILLIS) * MILLIS;
        yield life > 0
            ? Optional.of(withField(document, ttl(written + life * MILLIS + byMillis, second)))
            : Optional.empty();
      }
    };
  }

  private static Value ttl(long deadline, long second) {
    if (deadline == Deadline.NEVER) {
      return Value.of(HeaderFields.NEVER);
    }
    long seconds = Math.ceilDiv(deadline - second, MILLIS);
    return Value.of((int) Math.clamp(seconds, 1, TimeToLive.MAX_SECONDS));
  }

  private static Document withField(Document document, Value value) {
    return withValue(document, FieldPath.of(TTL), 0, value).orElseThrow();
  }

  private Optional<Document> withTime(Document document, long now) {
    int own = rule.equals(DEFAULT) ? OwnTtl.of(document) : HeaderFields.NO_TTL;
    long life = own == HeaderFields.NO_TTL ? seconds() : own;
    if (life < 0) {
      return Optional.empty();
    }
    FieldPath path = path();
    if (document.at(path).isArray()) {
      return Optional.empty();
    }
    return switch (this.life) {
      case NewLife.Restarted() -> withValue(document, path, 0, time(now));
      case NewLife.Until(long deadline) ->
          withValue(document, path, 0, time(deadline - life * MILLIS));
      case NewLife.Extended(long byMillis) -> {
        long start = EarliestDate.at(path, format()).of(document);
        long later = start + byMillis;
        yield start == EarliestDate.NONE || later < start
            ? Optional.empty()
            : withValue(document, path, 0, time(later));
      }
    };
  }

  /** Returns a time in the format of the rule; as late as necessary if it has whole seconds. */
  private Value time(long millis) {
    return switch (format()) {
      case DATE -> Value.date(millis);
      case SECONDS -> seconds(millis);
      case MILLISECONDS -> Value.of(millis);
      case ISO_8601 -> Value.of(Instant.ofEpochMilli(millis).toString());
      case OBJECT_ID -> throw new IllegalStateException("an ObjectId cannot be set");
    };
  }

  private Value seconds(long millis) {
    boolean whole = rule.equals(DEFAULT) || Math.floorMod(millis, MILLIS) == 0;
    return whole ? Value.of(Math.ceilDiv(millis, MILLIS)) : Value.of(millis / (double) MILLIS);
  }

  /**
   * Returns a document with a value at a path; missing objects on the path are added. Empty if the
   * path leads through an array or another value.
   */
  private static Optional<Document> withValue(
      Document document, FieldPath path, int step, Value value) {
    String name = path.step(step);
    boolean last = step + 1 == path.length();
    DocumentWriter writer = Document.writer();
    boolean found = false;
    Fields fields = document.fields();
    while (fields.next()) {
      if (found || !fields.name().equals(name)) {
        writer.put(fields);
        continue;
      }
      found = true;
      if (last) {
        writer.put(name, value);
      } else if (fields.type() == Type.OBJECT) {
        Optional<Document> inner = withValue(fields.value().asDocument(), path, step + 1, value);
        if (inner.isEmpty()) {
          return inner;
        }
        writer.put(name, inner.get());
      } else {
        return Optional.empty();
      }
    }
    if (!found) {
      writer.put(
          name,
          last ? value : Value.of(withValue(Document.EMPTY, path, step + 1, value).orElseThrow()));
    }
    return Optional.of(writer.build());
  }

  private static EngineException bad(String message) {
    return new EngineException(Reason.BAD_SPEC, message);
  }
}
