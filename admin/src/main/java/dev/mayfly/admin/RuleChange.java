package dev.mayfly.admin;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.TimeToLive.Sliding;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Change of the TTL rules of a collection, from the body of a request.
 *
 * <p>{@code default}, {@code id} and the values of {@code indexes} are seconds or {@code "off"};
 * {@code default} may be -1: only documents with a {@code ttl} expire. {@code propertyFormat},
 * {@code idFormat} and the values of {@code indexFormats} are names of a {@link TimeFormat}. {@code
 * sliding} is an object with the options of rules that slide. Rules that are not named stay
 * unchanged; {@code "off": true} turns all rules off.
 */
final class RuleChange {
  private static final Set<String> FIELDS =
      Set.of(
          "default",
          "property",
          "propertyFormat",
          "id",
          "idFormat",
          "indexes",
          "indexFormats",
          "sliding",
          "graceSeconds",
          "off",
          "most",
          "ifRules");

  /** Fields of a what-if that do not describe the change. */
  private static final Set<String> REPORT = Set.of("keys", "buckets", "bucketSeconds", "maxMillis");

  private static final long MILLIS = 1000;

  private final UnaryOperator<TimeToLive> change;
  private final Document indexes;
  private final Document formats;

  private final Document sliding;

  private RuleChange(
      UnaryOperator<TimeToLive> change, Document indexes, Document formats, Document sliding) {
    this.change = change;
    this.indexes = indexes;
    this.formats = formats;
    this.sliding = sliding;
  }

  static RuleChange of(Document body) {
    UnaryOperator<TimeToLive> change = UnaryOperator.identity();
    Document indexes = Document.EMPTY;
    UnaryOperator<TimeToLive> formatted = UnaryOperator.identity();
    Document formats = Document.EMPTY;
    Document sliding = Document.EMPTY;
    Fields fields = body.fields();
    while (fields.next()) {
      Value value = fields.value();
      switch (fields.name()) {
        case "default" -> change = then(change, ttl -> ttl.withDefault(seconds(value)));
        case "id" -> change = then(change, ttl -> ttl.withId(seconds(value)));
        case "property" -> change = then(change, ttl -> ttl.withProperty(value.asString()));
        case "propertyFormat" ->
            formatted = then(formatted, ttl -> ttl.withPropertyFormat(format(value)));
        case "idFormat" -> formatted = then(formatted, ttl -> ttl.withIdFormat(format(value)));
        case "indexFormats" -> formats = value.asDocument();
        case "sliding" -> sliding = slidingRules(value);
        case "graceSeconds" ->
            change = then(change, ttl -> ttl.withGrace(Math.multiplyExact(value.asLong(), MILLIS)));
        case "off" -> change = then(change, RuleChange::off);
        case "indexes" -> indexes = value.asDocument();
        case "most", "ifRules" -> {}
        case String name when REPORT.contains(name) -> {}
        default ->
            throw AdminException.wrong(
                "Unknown field '" + fields.name() + "'; use " + String.join(", ", sorted()) + ".");
      }
    }
    return new RuleChange(then(change, formatted), indexes, formats, sliding);
  }

  private static Document slidingRules(Value value) {
    if (value.type() != Type.OBJECT) {
      throw AdminException.wrong(
          "'sliding' must be an object with the names of rules: default, id, or index: and a"
              + " name.");
    }
    Fields rules = value.asDocument().fields();
    while (rules.next()) {
      sliding(rules.value());
    }
    return value.asDocument();
  }

  private static Optional<Sliding> sliding(Value value) {
    try {
      return Sliding.of(value);
    } catch (EngineException refused) {
      throw AdminException.wrong("'sliding' is invalid: " + refused.detail() + ".");
    }
  }

  private static TimeFormat format(Value value) {
    Optional<TimeFormat> format =
        value.type() == Type.STRING ? TimeFormat.named(value.asString()) : Optional.empty();
    return format.orElseThrow(
        () ->
            AdminException.wrong(
                "A format of times must be one of "
                    + Arrays.stream(TimeFormat.values())
                        .map(TimeFormat::code)
                        .collect(Collectors.joining(", "))
                    + "."));
  }

  private static Iterable<String> sorted() {
    return FIELDS.stream().sorted().toList();
  }

  private static UnaryOperator<TimeToLive> then(
      UnaryOperator<TimeToLive> first, UnaryOperator<TimeToLive> second) {
    return ttl -> second.apply(first.apply(ttl));
  }

  /** Turns all rules off. Keeps the grace, so that the change can be undone. */
  private static TimeToLive off(TimeToLive ttl) {
    return TimeToLive.NONE.withStrict(ttl.strict()).withGrace(ttl.graceMillis());
  }

  private static long seconds(Value value) {
    if (value.type() == Type.STRING && value.asString().equals("off")) {
      return TimeToLive.OFF;
    }
    if (value.type() != Type.INT32 && value.type() != Type.INT64) {
      throw AdminException.wrong("A TTL must be an integer number of seconds, or \"off\".");
    }
    return value.asLong();
  }

  TimeToLive apply(CollectionSpec spec) {
    TimeToLive changed = change.apply(withoutSliding(spec.timeToLive()));
    Fields rules = indexes.fields();
    while (rules.next()) {
      String name = rules.name();
      if (spec.indexes().stream().noneMatch(index -> index.name().equals(name))) {
        throw AdminException.wrong("There is no index '" + name + "' in this collection.");
      }
      changed = changed.withIndex(name, seconds(rules.value()));
    }
    Fields changedFormats = formats.fields();
    while (changedFormats.next()) {
      String name = changedFormats.name();
      if (!changed.indexes().containsKey(name)) {
        throw AdminException.wrong("The index '" + name + "' has no TTL, so it has no format.");
      }
      changed = changed.withIndexFormat(name, format(changedFormats.value()));
    }
    return withSliding(changed);
  }

  /** Ends sliding before the other changes: a TTL may become 0 with them. */
  private TimeToLive withoutSliding(TimeToLive ttl) {
    TimeToLive changed = ttl;
    Fields rules = sliding.fields();
    while (rules.next()) {
      changed = changed.withSliding(rules.name(), Optional.empty());
    }
    return changed;
  }

  private TimeToLive withSliding(TimeToLive ttl) {
    TimeToLive changed = ttl;
    Fields rules = sliding.fields();
    while (rules.next()) {
      Optional<Sliding> options = sliding(rules.value());
      changed = changed.withSliding(rules.name(), options);
      if (options.isPresent() && !changed.slides(rules.name())) {
        throw AdminException.wrong(
            "There is no rule '" + rules.name() + "' that could slide in this collection.");
      }
    }
    return changed;
  }
}
