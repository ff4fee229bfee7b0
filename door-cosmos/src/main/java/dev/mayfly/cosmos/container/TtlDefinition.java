package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Failures;
import dev.mayfly.engine.CollectionSpec.Cap;
import dev.mayfly.engine.CollectionSpec.ExpiresWith;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.TimeToLive.Sliding;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Optional;
import java.util.Set;

/** Parses the time to live in the body of a container. */
final class TtlDefinition {
  private static final String DEFAULT = "defaultTtl";
  private static final String PROPERTY = "ttlPropertyPath";
  private static final String GRACE = "mayflyGraceSeconds";

  /** Object with properties that are Mayfly's own. */
  static final String MAYFLY = "mayfly";

  private static final String FORMAT = "ttlFormat";
  private static final String BYTES = "maxBytes";
  private static final String DOCUMENTS = "maxDocuments";
  private static final String EVICT = "evict";
  private static final String ON_EXPIRE = "onExpire";
  private static final String SLIDING = "sliding";
  private static final String EXPIRES_WITH = "expiresWith";
  private static final String CONTAINER = "container";
  private static final String PARENT = "property";
  private static final String DELETED = "deleted";
  private static final Set<String> MAYFLY_PROPERTIES =
      Set.of(FORMAT, BYTES, DOCUMENTS, EVICT, ON_EXPIRE, SLIDING, EXPIRES_WITH);
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
    String property = property(body.field(PROPERTY), seconds);
    return TimeToLive.NONE
        .withStrict(true)
        .withDefault(seconds)
        .withProperty(property)
        .withPropertyFormat(format(own(body).field(FORMAT), property))
        .withSliding(TimeToLive.PROPERTY_RULE, sliding(own(body).field(SLIDING), seconds))
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

  /** Returns the object of Mayfly's own properties; empty if it is absent. */
  private static Document own(Document body) {
    Document own = Elements.object(body.field(MAYFLY), MAYFLY);
    Fields fields = own.fields();
    while (fields.next()) {
      if (!MAYFLY_PROPERTIES.contains(fields.name())) {
        throw CosmosException.wrong(
            "The property 'mayfly."
                + fields.name()
                + "' is unknown; use ttlFormat, sliding, maxBytes, maxDocuments, evict, onExpire,"
                + " expiresWith.");
      }
    }
    return own;
  }

  /**
   * Parses the limits of a bounded container; returns {@link Cap#NONE} without limits.
   *
   * @throws CosmosException 400 if they are invalid
   */
  static Cap limits(Document body) {
    Document own = own(body);
    long bytes = limit(own, BYTES);
    long documents = limit(own, DOCUMENTS);
    Value evict = own.field(EVICT);
    boolean bounded = bytes > 0 || documents > 0;
    if (!Elements.absent(evict) && !(bounded && evict.equals(Value.of("soonest")))) {
      throw CosmosException.wrong(
          "The property 'mayfly.evict' must be 'soonest', with maxBytes or maxDocuments.");
    }
    return bounded ? new Cap(bytes, documents, Cap.Evict.SOONEST) : Cap.NONE;
  }

  /**
   * Parses the action on expiry; {@link OnExpire#NOTHING} if it is missing.
   *
   * @throws CosmosException 400 if it is invalid
   */
  static OnExpire onExpire(Document body) {
    try {
      return OnExpire.of(Elements.object(own(body).field(ON_EXPIRE), MAYFLY + "." + ON_EXPIRE));
    } catch (IllegalArgumentException invalid) {
      throw CosmosException.wrong(
          "The property 'mayfly.onExpire' is invalid: " + invalid.getMessage() + ".");
    }
  }

  /**
   * Parses the container whose items the items follow; empty if it is missing.
   *
   * @throws CosmosException 400 if it is invalid
   */
  static Optional<ExpiresWith> expiresWith(Document body) {
    Value value = own(body).field(EXPIRES_WITH);
    if (Elements.absent(value)) {
      return Optional.empty();
    }
    String name = MAYFLY + "." + EXPIRES_WITH;
    Document with = Elements.object(value, name);
    Fields fields = with.fields();
    while (fields.next()) {
      if (!Set.of(CONTAINER, PARENT, DELETED).contains(fields.name())) {
        throw CosmosException.wrong(
            "The property '"
                + name
                + "."
                + fields.name()
                + "' is unknown; use container, property, deleted.");
      }
    }
    Value deleted = with.field(DELETED);
    if (!Elements.absent(deleted) && deleted.type() != Type.BOOLEAN) {
      throw CosmosException.wrong("The property '" + name + ".deleted' must be true or false.");
    }
    String path = String.join(".", PathSyntax.steps(text(with, PARENT)));
    return Optional.of(
        new ExpiresWith(
            text(with, CONTAINER),
            FieldPath.of(path),
            !Elements.absent(deleted) && deleted.asBoolean()));
  }

  private static String text(Document with, String name) {
    Value value = with.field(name);
    if (value.type() != Type.STRING || value.asString().isEmpty()) {
      throw CosmosException.wrong(
          "The property 'mayfly.expiresWith' needs 'container', the id of a container, and"
              + " 'property', a path.");
    }
    return value.asString();
  }

  private static Document form(ExpiresWith with) {
    return Document.writer()
        .put(CONTAINER, with.collection())
        .put(PARENT, "/" + with.field().toString().replace('.', '/'))
        .put(DELETED, with.deleted())
        .build();
  }

  private static long limit(Document own, String name) {
    Value value = own.field(name);
    if (Elements.absent(value)) {
      return 0;
    }
    double number = value.isNumber() ? value.asDouble() : 0;
    if (number < 1 || number != Math.rint(number) || number > Long.MAX_VALUE / 2.0) {
      throw CosmosException.wrong(
          "The property 'mayfly." + name + "' must be a whole number of at least 1.");
    }
    return (long) number;
  }

  /**
   * Returns Mayfly's own properties of a container for a replacement that does not have them: a
   * format without a property to read, and sliding without a TTL, are left out.
   */
  static Value kept(Document container, Document replacement) {
    boolean byProperty = !Elements.absent(replacement.field(PROPERTY));
    boolean expires = !Elements.absent(replacement.field(DEFAULT));
    DocumentWriter kept = Document.writer();
    Fields fields = Elements.object(container.field(MAYFLY), MAYFLY).fields();
    while (fields.next()) {
      boolean fits = fields.named(FORMAT) ? byProperty : !fields.named(SLIDING) || expires;
      if (fits) {
        kept.put(fields);
      }
    }
    return Value.of(kept.build());
  }

  private static Optional<Sliding> sliding(Value value, long seconds) {
    if (Elements.absent(value)) {
      return Optional.empty();
    }
    try {
      Optional<Sliding> sliding = Sliding.of(value);
      if (sliding.isPresent() && seconds == TimeToLive.OFF) {
        throw CosmosException.wrong(
            "The property 'mayfly.sliding' needs 'defaultTtl' in the collection.");
      }
      return sliding;
    } catch (EngineException refused) {
      throw CosmosException.wrong(
          "The property 'mayfly.sliding' is invalid: " + refused.detail() + ".");
    }
  }

  private static TimeFormat format(Value value, String property) {
    if (Elements.absent(value)) {
      return TimeFormat.SECONDS;
    }
    Optional<TimeFormat> format =
        value.type() == Type.STRING ? TimeFormat.named(value.asString()) : Optional.empty();
    if (format.isEmpty() || format.get() == TimeFormat.DATE) {
      throw CosmosException.wrong(
          "The property 'mayfly.ttlFormat' must be one of seconds, milliseconds, iso8601,"
              + " objectId.");
    }
    if (property.isEmpty()) {
      throw CosmosException.wrong(
          "The property 'mayfly.ttlFormat' needs 'ttlPropertyPath' in the collection.");
    }
    return format.get();
  }

  /** Writes the time to live in the form that {@link #of} parses. */
  static void write(
      TimeToLive ttl,
      Cap limits,
      OnExpire onExpire,
      Optional<ExpiresWith> expiresWith,
      DocumentWriter body) {
    if (ttl.hasDefault()) {
      body.put(DEFAULT, ttl.defaultSeconds());
    }
    if (!ttl.property().isEmpty()) {
      body.put(PROPERTY, "/" + ttl.property().replace('.', '/'));
    }
    boolean formatted = ttl.propertyFormat() != TimeFormat.SECONDS;
    boolean bounded = limits.evict() == Cap.Evict.SOONEST;
    Optional<Sliding> sliding = ttl.slidingOf(TimeToLive.PROPERTY_RULE);
    boolean follows = expiresWith.isPresent();
    if (formatted || bounded || onExpire.delivers() || sliding.isPresent() || follows) {
      body.startDocument(MAYFLY);
      body.put(FORMAT, formatted ? Value.of(ttl.propertyFormat().code()) : Value.MISSING);
      body.put(BYTES, limits.bytes() > 0 ? Value.of(limits.bytes()) : Value.MISSING);
      body.put(DOCUMENTS, limits.documents() > 0 ? Value.of(limits.documents()) : Value.MISSING);
      body.put(EVICT, bounded ? Value.of("soonest") : Value.MISSING);
      body.put(ON_EXPIRE, onExpire.delivers() ? Value.of(onExpire.toDocument()) : Value.MISSING);
      body.put(SLIDING, sliding.map(Sliding::form).orElse(Value.MISSING));
      body.put(EXPIRES_WITH, expiresWith.map(with -> Value.of(form(with))).orElse(Value.MISSING));
      body.end();
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
