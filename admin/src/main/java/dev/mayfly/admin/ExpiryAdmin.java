package dev.mayfly.admin;

import dev.mayfly.engine.BuildProgress;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.ExpiryService.Life;
import dev.mayfly.engine.ExpiryService.NeverExpiring;
import dev.mayfly.engine.ExpiryService.NeverExpiring.Cause;
import dev.mayfly.engine.ExpiryService.RuleChangeEntry;
import dev.mayfly.engine.ExpiryService.Soonest;
import dev.mayfly.engine.ExpiryService.UndoPreview;
import dev.mayfly.engine.ExpiryService.Warnings;
import dev.mayfly.engine.Forecast;
import dev.mayfly.engine.Forecast.Series;
import dev.mayfly.engine.Forecast.Series.Spans;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Usage;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** Admin API for the expiry of documents: why and when, which is next, the health of the rules. */
final class ExpiryAdmin {
  /** How many documents one request can name or return. */
  private static final int MAX_DOCUMENTS = ExpiryService.MAX_EXPLAINED;

  private static final int STANDARD_PAGE = 50;

  /** How many documents are looked at for the reasons why documents do not expire. */
  private static final int SAMPLE = 1000;

  /** How long a count or a search may take. */
  static final long STANDARD_MILLIS = 2000;

  private static final long MAX_MILLIS = 60_000;
  private static final long MILLIS = 1000;

  private final Engine engine;

  ExpiryAdmin(Engine engine) {
    this.engine = engine;
  }

  private Collection collection(List<String> names) {
    return engine.collection(new Namespace(names.getFirst(), names.getLast()));
  }

  /** Explains the expiry of documents by key. */
  Document lives(List<String> names, Document body) {
    Collection collection = collection(names);
    CollectionSpec spec = collection.spec();
    List<DocumentKey> keys = keys(spec, body.field("keys"));
    OperationContext operation = collection.operation();
    DocumentWriter reply =
        Document.writer().put("now", Value.date(operation.now())).startArray("lives");
    for (Life life : collection.expiry(operation).explain(keys)) {
      reply.startDocument().put("key", DocumentText.key(spec, life.key()));
      life.write(reply, Value::date);
      reply.end();
    }
    return reply.end().build();
  }

  private static List<DocumentKey> keys(CollectionSpec spec, Value texts) {
    if (!texts.isArray()) {
      throw AdminException.wrong("'keys' must be an array of keys, each as text.");
    }
    List<DocumentKey> keys = new ArrayList<>();
    Fields each = texts.asDocument().fields();
    while (each.next()) {
      keys.add(DocumentText.parseKey(spec, each.value().asString()));
    }
    if (keys.size() > MAX_DOCUMENTS) {
      throw AdminException.wrong("'keys' has more than " + MAX_DOCUMENTS + " keys.");
    }
    return keys;
  }

  /** Returns live documents in the order of their deadlines. */
  Document soonest(List<String> names, Document body) {
    Collection collection = collection(names);
    CollectionSpec spec = collection.spec();
    long most = body.field("most").isMissing() ? STANDARD_PAGE : AdminApi.whole(body, "most");
    if (most < 1 || most > MAX_DOCUMENTS) {
      throw AdminException.wrong("'most' must be 1 to " + MAX_DOCUMENTS + ".");
    }
    String after = body.field("after").isMissing() ? "" : AdminApi.text(body, "after");
    boolean text = !body.field("text").isMissing() && body.field("text").asBoolean();
    OperationContext operation = collection.operation();
    ExpiryService expiry = collection.expiry(operation);
    Soonest found = expiry.soonest(after, (int) most, expiry.after(STANDARD_MILLIS));
    DocumentWriter reply =
        Document.writer().put("now", Value.date(operation.now())).startArray("documents");
    for (Soonest.Due due : found.documents()) {
      reply
          .startDocument()
          .put("key", DocumentText.key(spec, due.key()))
          .put("version", Long.toString(due.stored().version()))
          .put("writtenAt", Value.date(due.stored().writtenAt()))
          .put("deadline", Value.date(due.stored().deadline()))
          .put("rule", due.rule())
          .put("bytes", due.stored().document().length());
      if (text) {
        reply.put("text", DocumentText.of(spec, due.stored().document()));
      }
      reply.end();
    }
    reply.end();
    found.next().ifPresent(next -> reply.put("after", next));
    return reply.put("complete", found.complete()).build();
  }

  /** Returns documents that will expire within {@code withinSeconds}, each once. */
  Document warnings(List<String> names, Document body) {
    Collection collection = collection(names);
    long most = body.field("most").isMissing() ? STANDARD_PAGE : AdminApi.whole(body, "most");
    if (most < 1 || most > ExpiryService.MAX_WARNINGS) {
      throw AdminException.wrong("'most' must be 1 to " + ExpiryService.MAX_WARNINGS + ".");
    }
    long within = AdminApi.whole(body, "withinSeconds");
    if (within < 1 || within > Integer.MAX_VALUE) {
      throw AdminException.wrong("'withinSeconds' must be at least 1.");
    }
    String after = body.field("after").isMissing() ? "" : AdminApi.text(body, "after");
    OperationContext operation = collection.operation();
    Warnings warnings = collection.expiry(operation).warnings(after, within * MILLIS, (int) most);
    DocumentWriter reply =
        Document.writer().put("now", Value.date(operation.now())).startArray("documents");
    for (Soonest.Due due : warnings.documents()) {
      reply
          .startDocument()
          .put("key", DocumentText.key(collection.spec(), due.key()))
          .put("deadline", Value.date(due.stored().deadline()))
          .put("rule", due.rule())
          .end();
    }
    return reply.end().put("next", warnings.next()).put("more", warnings.more()).build();
  }

  /** Returns the spans of a forecast, if a request wants them. */
  static Optional<Spans> spans(Document body) {
    if (body.field("buckets").isMissing() && body.field("bucketSeconds").isMissing()) {
      return Optional.empty();
    }
    long count = AdminApi.whole(body, "buckets");
    long seconds = AdminApi.whole(body, "bucketSeconds");
    if (count < 1 || count > Series.MAX_SPANS || seconds < 1 || seconds > TimeToLive.MAX_SECONDS) {
      throw AdminException.wrong(
          "'buckets' must be 1 to " + Series.MAX_SPANS + ", 'bucketSeconds' at least 1.");
    }
    return Optional.of(new Spans(seconds * MILLIS, (int) count));
  }

  static long maxMillis(Document body) {
    return body.field("maxMillis").isMissing()
        ? STANDARD_MILLIS
        : Math.clamp(AdminApi.whole(body, "maxMillis"), 1, MAX_MILLIS);
  }

  /**
   * Writes a forecast by spans.
   *
   * @param live how many documents are live
   */
  static void write(Series series, Spans spans, long live, DocumentWriter reply) {
    reply
        .put("now", Value.date(series.now()))
        .put("bucketSeconds", spans.spanMillis() / MILLIS)
        .put("complete", series.complete())
        .put("exactUntil", Value.date(series.exactUntil()))
        .startArray("buckets");
    for (Forecast span : series.spans()) {
      reply.startDocument().put("until", Value.date(span.until()));
      span.write(reply, "documents");
      reply.end();
    }
    reply.end();
    if (series.later().isPresent()) {
      reply.startDocument("later");
      series.later().get().write(reply, "documents");
      reply.end();
    }
    series.never(live).ifPresent(never -> reply.put("never", never));
  }

  /** Returns what an undo would do. */
  Document undo(List<String> names) {
    Optional<UndoPreview> preview = collection(names).expiry().undoPreview();
    DocumentWriter reply = Document.writer().put("possible", preview.isPresent());
    preview.ifPresent(
        undo -> {
          undo.restored().write(reply, "documents");
          reply
              .put("until", Value.date(undo.until()))
              .put("changedAt", Value.date(undo.changedAt()))
              .put("from", TtlAdmin.rules(undo.from()))
              .put("to", TtlAdmin.rules(undo.to()));
        });
    return reply.build();
  }

  /** Returns the rules and their latest changes, newest first. */
  Document rules(List<String> names) {
    Collection collection = collection(names);
    DocumentWriter reply =
        Document.writer()
            .put("rulesTag", collection.expiry().rulesTag())
            .put("rules", TtlAdmin.rules(collection.spec().timeToLive()))
            .startArray("changes");
    for (RuleChangeEntry change : collection.expiry().ruleChanges().reversed()) {
      reply
          .startDocument()
          .put("at", Value.date(change.at()))
          .put("kind", change.undo() ? "undo" : "change")
          .put("from", TtlAdmin.rules(change.from()))
          .put("to", TtlAdmin.rules(change.to()));
      change
          .documents()
          .ifPresent(count -> reply.put(change.undo() ? "restored" : "expired", count));
      if (!change.by().isEmpty()) {
        reply.put("by", change.by());
      }
      reply.end();
    }
    return reply.end().build();
  }

  /** Returns builds, backlog, the rules with what they govern, and documents that never expire. */
  Document health(List<String> names) {
    Collection collection = collection(names);
    OperationContext operation = collection.operation();
    ExpiryService expiry = collection.expiry(operation);
    Usage usage = collection.usage(operation);
    DocumentWriter reply = Document.writer();
    usage.write(reply, "documents");
    reply.startDocument("backlog");
    expiry.backlog().write(reply, "documents");
    reply.end().startArray("builds");
    for (BuildProgress build : collection.builds()) {
      reply
          .startDocument()
          .put("what", build.what())
          .put("records", build.records())
          .put("total", build.total())
          .put("percent", build.percent())
          .end();
    }
    reply.end();
    collection
        .buildFailure()
        .map(EngineException::getMessage)
        .ifPresent(failure -> reply.put("buildFailure", failure));
    feedKeptSince(collection).ifPresent(since -> reply.put("feedKeptSince", Value.date(since)));
    reply.put("rulesTag", expiry.rulesTag());
    Series all = expiry.forecast(Spans.ALL, expiry.after(STANDARD_MILLIS));
    NeverExpiring never = expiry.neverExpiring(SAMPLE);
    writeRules(collection.spec(), expiry.nextDeadlines(), all, never, reply);
    writeNever(collection.spec(), usage, all, never, reply);
    expiry.undoPreview().ifPresent(undo -> reply.put("undoUntil", Value.date(undo.until())));
    return reply.put("graceSeconds", collection.spec().timeToLive().graceMillis() / MILLIS).build();
  }

  private static Optional<Long> feedKeptSince(Collection collection) {
    return collection.feeds().stream()
        .map(feed -> feed.read(feed.oldest(), 1))
        .filter(changes -> !changes.isEmpty())
        .map(changes -> changes.getFirst().time())
        .max(Long::compare);
  }

  private static void writeRules(
      CollectionSpec spec,
      SortedMap<String, Long> next,
      Series all,
      NeverExpiring never,
      DocumentWriter reply) {
    reply.startArray("rules");
    RuleSentences.of(spec)
        .forEach(
            (rule, sentence) -> {
              reply.startDocument().put("rule", rule).put("sentence", sentence);
              Usage governed = all.spans().getFirst().byRule().getOrDefault(rule, Usage.NONE);
              governed.write(reply, "documents");
              reply.put("exact", all.complete());
              if (next.containsKey(rule)) {
                reply.put("next", Value.date(next.get(rule)));
              }
              writeCauses(
                  "cannot",
                  spec,
                  never.byRule().stream()
                      .filter(cause -> cause.verdict().rule().equals(rule))
                      .toList(),
                  reply);
              reply.end();
            });
    reply.end();
  }

  private static void writeNever(
      CollectionSpec spec, Usage usage, Series all, NeverExpiring never, DocumentWriter reply) {
    reply.startDocument("never");
    all.never(usage.documents()).ifPresent(documents -> reply.put("documents", documents));
    reply.put("exact", never.exact()).put("sampled", never.sampled());
    writeCauses("reasons", spec, never.never(), reply);
    reply.end();
  }

  private static void writeCauses(
      String name, CollectionSpec spec, List<Cause> causes, DocumentWriter reply) {
    reply.startArray(name);
    for (Cause cause : causes) {
      reply.startDocument().put("rule", cause.verdict().rule());
      cause.verdict().writeReason(reply);
      reply.put("documents", cause.documents()).startArray("keys");
      cause.keys().forEach(key -> reply.add(Value.of(DocumentText.key(spec, key))));
      reply.end().end();
    }
    reply.end();
  }

  /** Returns the next deadline of any collection. */
  Optional<Long> nextDeadline() {
    return engine.namespaces().stream()
        .flatMap(namespace -> engine.find(namespace).stream())
        .flatMap(one -> one.expiry().soonest("", 1, () -> false).documents().stream())
        .map(due -> due.stored().deadline())
        .min(Long::compare);
  }
}
