package dev.mayfly.admin;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.CollectionSpec.ExpiresWith;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.ExpiryService.ChangeAuthor;
import dev.mayfly.engine.ExpiryService.WhatIf;
import dev.mayfly.engine.Forecast;
import dev.mayfly.engine.Forecast.Series;
import dev.mayfly.engine.Forecast.Series.Spans;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.archive.ArchiveStatus;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Admin API for TTL rules: show, what-if, change, undo, forecast. */
final class TtlAdmin {
  /** Database with the metadata of the Cosmos door; not listed. */
  private static final String COSMOS_METADATA = "cosmos:";

  private static final long MILLIS = 1000;

  /** Maximum number of keys of documents that a change would expire. */
  private static final int MAX_KEYS = 20;

  /** The author of changes, in the history of rules. */
  static final String AUTHOR = "admin";

  private final Engine engine;

  TtlAdmin(Engine engine) {
    this.engine = engine;
  }

  Document list() {
    DocumentWriter reply = Document.writer().startArray("collections");
    for (Namespace namespace : engine.namespaces()) {
      engine
          .find(namespace)
          .filter(_ -> !namespace.database().equals(COSMOS_METADATA))
          .ifPresent(
              collection -> {
                describe(collection, reply.startDocument());
                reply.end();
              });
    }
    return reply.end().put("lagMillis", engine.sweepStats().lagMillis()).build();
  }

  Document show(List<String> names) {
    DocumentWriter reply = Document.writer();
    describe(collection(names), reply);
    return reply.build();
  }

  private void describe(Collection collection, DocumentWriter reply) {
    Usage usage = collection.usage();
    CollectionSpec spec = collection.spec();
    reply
        .put("database", collection.namespace().database())
        .put("collection", collection.namespace().collection())
        .put("dialect", spec.dialect().name().toLowerCase(Locale.ROOT))
        .put("documents", usage.documents())
        .put("bytes", usage.bytes())
        .put("bytesOnDisk", collection.bytesOnDisk())
        .put("rules", rules(spec.timeToLive()))
        .put("limit", spec.bounded() ? Value.of(limit(spec)) : Value.MISSING)
        .put(
            "expiresWith",
            spec.expiresWith().map(with -> Value.of(form(with))).orElse(Value.MISSING));
    ArchiveStatus status = collection.expiry().archiveStatus();
    if (spec.onExpire().delivers()) {
      reply.put("onExpire", spec.onExpire().toDocument());
    }
    if (spec.onExpire().delivers() || status.waiting() > 0) {
      status.write(reply.startDocument("archive"));
      reply.end();
    }
  }

  /** Sets the action on expiry; an empty body removes it. */
  Document onExpire(List<String> names, Document body) {
    Collection collection = collection(names);
    ChangeAuthor.as(
        AUTHOR,
        () -> {
          collection.alter(spec -> spec.withOnExpire(body));
          return body;
        });
    return show(names);
  }

  private static Document form(ExpiresWith with) {
    return Document.writer()
        .put("collection", with.collection())
        .put("field", with.field().toString())
        .put("deleted", with.deleted())
        .build();
  }

  /**
   * Sets the collection whose documents the documents follow: {@code collection}, {@code field},
   * {@code deleted}; an empty body removes it.
   */
  Document expiresWith(List<String> names, Document body) {
    Fields fields = body.fields();
    while (fields.next()) {
      boolean text = fields.named("collection") || fields.named("field");
      if (!text && !fields.named("deleted")) {
        throw AdminException.wrong(
            "Unknown field '" + fields.name() + "'; use collection, field, deleted.");
      }
      if (fields.value().type() != (text ? Type.STRING : Type.BOOLEAN)) {
        throw AdminException.wrong(
            "'" + fields.name() + "' must be " + (text ? "a string." : "true or false."));
      }
    }
    Value parents = body.field("collection");
    Value field = body.field("field");
    if (!body.isEmpty() && (parents.isMissing() || field.isMissing())) {
      throw AdminException.wrong("'collection' and 'field' are needed.");
    }
    Value deleted = body.field("deleted");
    Collection collection = collection(names);
    ChangeAuthor.as(
        AUTHOR,
        () -> {
          collection.alter(
              spec ->
                  body.isEmpty()
                      ? spec.withExpiresWith(Optional.empty())
                      : spec.withExpiresWith(
                          parents.asString(),
                          field.asString(),
                          !deleted.isMissing() && deleted.asBoolean()));
          return body;
        });
    return show(names);
  }

  private static Document limit(CollectionSpec spec) {
    DocumentWriter limit = Document.writer();
    if (spec.cap().bytes() > 0) {
      limit.put("maxBytes", spec.cap().bytes());
    }
    if (spec.cap().documents() > 0) {
      limit.put("maxDocuments", spec.cap().documents());
    }
    return limit.put("evict", "soonest").build();
  }

  /** Bounds a collection: {@code maxBytes}, {@code maxDocuments}; without them it has no limits. */
  Document limit(List<String> names, Document body) {
    Fields fields = body.fields();
    while (fields.next()) {
      if (!fields.named("maxBytes") && !fields.named("maxDocuments")) {
        throw AdminException.wrong(
            "Unknown field '" + fields.name() + "'; use maxBytes, maxDocuments.");
      }
    }
    long bytes = body.field("maxBytes").isMissing() ? 0 : AdminApi.whole(body, "maxBytes");
    long documents =
        body.field("maxDocuments").isMissing() ? 0 : AdminApi.whole(body, "maxDocuments");
    Collection collection = collection(names);
    ChangeAuthor.as(
        AUTHOR,
        () -> {
          collection.alter(spec -> spec.withLimits(bytes, documents));
          return bytes;
        });
    return show(names);
  }

  /** Returns the rules in the format of a {@link RuleChange}, without those that are off. */
  static Document rules(TimeToLive ttl) {
    DocumentWriter rules = Document.writer();
    if (ttl.hasDefault()) {
      rules.put("default", ttl.defaultSeconds());
    }
    if (!ttl.property().isEmpty()) {
      rules.put("property", ttl.property());
      if (ttl.propertyFormat() != TimeFormat.SECONDS) {
        rules.put("propertyFormat", ttl.propertyFormat().code());
      }
    }
    if (ttl.idSeconds() != TimeToLive.OFF) {
      rules.put("id", ttl.idSeconds());
      if (ttl.idFormat() != TimeFormat.DATE) {
        rules.put("idFormat", ttl.idFormat().code());
      }
    }
    if (!ttl.indexes().isEmpty()) {
      rules.startDocument("indexes");
      ttl.indexes().entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(rule -> rules.put(rule.getKey(), rule.getValue()));
      rules.end();
      indexFormats(ttl, rules);
    }
    if (!ttl.sliding().isEmpty()) {
      rules.startDocument("sliding");
      ttl.sliding().entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(rule -> rules.put(rule.getKey(), rule.getValue().form()));
      rules.end();
    }
    return rules.put("graceSeconds", ttl.graceMillis() / MILLIS).build();
  }

  private static void indexFormats(TimeToLive ttl, DocumentWriter rules) {
    List<String> formatted =
        ttl.indexes().keySet().stream()
            .filter(index -> ttl.indexFormat(index) != TimeFormat.DATE)
            .sorted()
            .toList();
    if (!formatted.isEmpty()) {
      rules.startDocument("indexFormats");
      formatted.forEach(index -> rules.put(index, ttl.indexFormat(index).code()));
      rules.end();
    }
  }

  Document forecast(List<String> names, Document body) {
    Collection collection = collection(names);
    Optional<Spans> spans = ExpiryAdmin.spans(body);
    if (spans.isPresent()) {
      return forecast(collection, spans.get(), ExpiryAdmin.maxMillis(body));
    }
    OperationContext operation = collection.operation();
    long now = operation.now();
    DocumentWriter reply = Document.writer().put("now", Value.date(now)).startArray("forecast");
    for (long seconds : horizons(body)) {
      Forecast forecast = collection.expiry(operation).forecast(Forecast.until(now, seconds));
      write(forecast, seconds, reply.startDocument());
      reply.end();
    }
    return reply.end().build();
  }

  private static Document forecast(Collection collection, Spans spans, long maxMillis) {
    OperationContext operation = collection.operation();
    ExpiryService expiry = collection.expiry(operation);
    DocumentWriter reply = Document.writer();
    ExpiryAdmin.write(
        expiry.forecast(spans, expiry.after(maxMillis)),
        spans,
        collection.usage(operation).documents(),
        reply);
    return reply.build();
  }

  private static List<Long> horizons(Document body) {
    Value within = body.field("withinSeconds");
    if (within.isMissing()) {
      return Forecast.STANDARD_HORIZONS;
    }
    if (!within.isArray()) {
      throw AdminException.wrong("'withinSeconds' must be an array of numbers.");
    }
    List<Long> seconds = new ArrayList<>();
    Fields each = within.asDocument().fields();
    while (each.next()) {
      long one = each.value().asLong();
      if (one < 0) {
        throw AdminException.wrong("'withinSeconds' must not be negative.");
      }
      seconds.add(one);
    }
    return seconds;
  }

  private static void write(Forecast forecast, long seconds, DocumentWriter reply) {
    reply.put("withinSeconds", seconds).put("until", Value.date(forecast.until()));
    forecast.total().write(reply, "documents");
    reply.startDocument("byRule");
    forecast.byRule().forEach((rule, usage) -> reply.put(rule, usage.documents()));
    reply.end();
  }

  /** Returns what a change would expire at once, and on request the forecast after it. */
  Document whatIf(List<String> names, Document body) {
    Collection collection = collection(names);
    OperationContext operation = collection.operation();
    ExpiryService expiry = collection.expiry(operation);
    UnaryOperator<CollectionSpec> change = change(body);
    long keys = body.field("keys").isMissing() ? MAX_KEYS : AdminApi.whole(body, "keys");
    WhatIf found = expiry.whatIf(change, Math.clamp(keys, 0, MAX_KEYS));
    Usage usage = collection.usage(operation);
    DocumentWriter reply = expired(found.expired());
    usage.write(reply, "documents");
    reply.put("rulesTag", found.rulesTag()).startDocument("byRule");
    found
        .byRule()
        .forEach(
            (rule, expired) -> {
              reply.startDocument(rule);
              expired.write(reply, "documents");
              reply.end();
            });
    reply.end().startArray("keys");
    found.keys().forEach(key -> reply.add(Value.of(DocumentText.key(collection.spec(), key))));
    reply.end();
    ExpiryAdmin.spans(body)
        .ifPresent(
            spans -> {
              Series series =
                  expiry.forecast(change, spans, expiry.after(ExpiryAdmin.maxMillis(body)));
              reply.startDocument("forecast");
              long live = usage.documents() - found.expired().documents();
              ExpiryAdmin.write(series, spans, live, reply);
              reply.end();
            });
    return reply.build();
  }

  /**
   * Changes rules, unless the change would expire more than {@code most} documents at once, or the
   * rules are no longer those of {@code ifRules}.
   */
  Document change(List<String> names, Document body) {
    Collection collection = collection(names);
    long most =
        body.field("most").isMissing() ? ExpiryService.NO_LIMIT : AdminApi.whole(body, "most");
    String ifRules =
        body.field("ifRules").isMissing()
            ? ExpiryService.ANY_RULES
            : AdminApi.text(body, "ifRules");
    UnaryOperator<CollectionSpec> change = change(body);
    try {
      Usage expired =
          ChangeAuthor.as(AUTHOR, () -> collection.expiry().alter(change, most, ifRules));
      return expired(expired).put("rulesTag", collection.expiry().rulesTag()).build();
    } catch (EngineException refused) {
      throw switch (refused.reason()) {
        case RULES_CHANGED ->
            new AdminException(
                409,
                "The rules have changed since they were read.",
                Document.writer()
                    .put("code", "RULES_CHANGED")
                    .put("rulesTag", collection.expiry().rulesTag())
                    .build());
        case EXPIRES_TOO_MUCH ->
            new AdminException(
                409,
                String.valueOf(refused.getMessage()),
                Document.writer()
                    .put("code", "EXPIRES_TOO_MUCH")
                    .put("wouldExpire", refused.number())
                    .build());
        default -> refused;
      };
    }
  }

  private static UnaryOperator<CollectionSpec> change(Document body) {
    RuleChange change = RuleChange.of(body);
    return spec -> spec.withTimeToLive(change.apply(spec));
  }

  Document undo(List<String> names) {
    ExpiryService expiry = collection(names).expiry();
    Usage restored = ChangeAuthor.as(AUTHOR, expiry::undo);
    return Document.writer().put("back", restored.documents()).build();
  }

  private static DocumentWriter expired(Usage usage) {
    return Document.writer().put("expired", usage.documents()).put("expiredBytes", usage.bytes());
  }

  private Collection collection(List<String> names) {
    return engine.collection(new Namespace(names.getFirst(), names.getLast()));
  }
}
