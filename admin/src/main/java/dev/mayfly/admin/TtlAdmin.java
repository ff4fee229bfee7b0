package dev.mayfly.admin;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.Forecast;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Usage;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Admin API for TTL rules: show, what-if, change, undo, forecast. */
final class TtlAdmin {
  /** Database with the metadata of the Cosmos door; not listed. */
  private static final String COSMOS_METADATA = "cosmos:";

  private static final long MILLIS = 1000;

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
        .put("rules", rules(spec.timeToLive()));
  }

  /** Returns the rules in the format of a {@link RuleChange}, without those that are off. */
  private static Document rules(TimeToLive ttl) {
    DocumentWriter rules = Document.writer();
    if (ttl.hasDefault()) {
      rules.put("default", ttl.defaultSeconds());
    }
    if (!ttl.property().isEmpty()) {
      rules.put("property", ttl.property());
    }
    if (ttl.idSeconds() != TimeToLive.OFF) {
      rules.put("id", ttl.idSeconds());
    }
    if (!ttl.indexes().isEmpty()) {
      rules.startDocument("indexes");
      ttl.indexes().entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(rule -> rules.put(rule.getKey(), rule.getValue()));
      rules.end();
    }
    return rules.put("graceSeconds", ttl.graceMillis() / MILLIS).build();
  }

  Document forecast(List<String> names, Document body) {
    Collection collection = collection(names);
    long now = engine.now();
    DocumentWriter reply = Document.writer().put("now", Value.date(now)).startArray("forecast");
    for (long seconds : horizons(body)) {
      Forecast forecast = collection.expiry().forecast(Forecast.until(now, seconds));
      write(forecast, seconds, reply.startDocument());
      reply.end();
    }
    return reply.end().build();
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

  Document whatIf(List<String> names, Document body) {
    return expired(collection(names).expiry().whatIf(change(body)));
  }

  /** Changes rules, unless the change would expire more than {@code most} documents at once. */
  Document change(List<String> names, Document body) {
    Collection collection = collection(names);
    long most =
        body.field("most").isMissing() ? ExpiryService.NO_LIMIT : AdminApi.whole(body, "most");
    return expired(collection.expiry().alter(change(body), most));
  }

  private static UnaryOperator<CollectionSpec> change(Document body) {
    RuleChange change = RuleChange.of(body);
    return spec -> spec.withTimeToLive(change.apply(spec));
  }

  Document undo(List<String> names) {
    return Document.writer().put("back", collection(names).expiry().undo().documents()).build();
  }

  private static Document expired(Usage usage) {
    return Document.writer()
        .put("expired", usage.documents())
        .put("expiredBytes", usage.bytes())
        .build();
  }

  private Collection collection(List<String> names) {
    return engine.collection(new Namespace(names.getFirst(), names.getLast()));
  }
}
