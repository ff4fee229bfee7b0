package dev.mayfly.mongo.admin;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.SweepRun;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.mongo.collection.Filters;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Database profiler and slow query log: counts every answered request, logs slow requests, and
 * writes to {@code system.profile} if the database is profiled. Thread-safe.
 */
public final class Profiler {
  private static final System.Logger LOG = System.getLogger(Profiler.class.getName());
  private static final String PROFILE = "system.profile";
  private static final long PROFILE_BYTES = 1 << 20;
  private static final long MILLI = 1_000_000;

  private final Engine engine;
  private final Totals totals;
  private final ServerLog log;
  private final Map<String, Setting> settings = new ConcurrentHashMap<>();
  private final long idPrefix = new SecureRandom().nextLong();
  private final AtomicInteger idCounter = new AtomicInteger();
  private volatile int slowMillis;
  private volatile double sampleRate = 1;
  private volatile Consumer<Document> slowOperations = _ -> {};

  public Profiler(Engine engine, Totals totals, ServerLog log, int slowMillis) {
    this.engine = engine;
    this.totals = totals;
    this.log = log;
    this.slowMillis = slowMillis;
  }

  /**
   * Profiling settings of a database.
   *
   * @param level 0 is off, 1 records operations that are slow or match the filter, 2 records all
   * @param filter if present, it decides which operations are logged, and profiled at level 1,
   *     instead of their duration
   */
  record Setting(int level, Optional<EntryFilter> filter) {
    static final Setting OFF = new Setting(0, Optional.empty());

    Setting withLevel(int to) {
      return new Setting(to, filter);
    }

    Setting withFilter(Optional<EntryFilter> to) {
      return new Setting(level, to);
    }
  }

  /** Filter for profile entries, as the client wrote it and parsed. */
  record EntryFilter(Document syntax, Filter filter) {
    static EntryFilter of(Document syntax) {
      return new EntryFilter(syntax, Filters.parse(syntax));
    }

    /** Whether the entry matches; false if the evaluation fails. */
    boolean matches(Document entry) {
      try {
        return filter.matcher(Mode.MATCH).matches(entry);
      } catch (QueryException failed) {
        return false;
      }
    }
  }

  Setting setting(String database) {
    return settings.getOrDefault(database, Setting.OFF);
  }

  void setting(String database, Setting setting) {
    settings.put(database, setting);
  }

  /** Whether requests to the database can be recorded in its profile. */
  public boolean profiles(String database) {
    return !settings.isEmpty() && setting(database).level() > 0;
  }

  /** Calls a consumer with the description of each slow request, instead of an earlier one. */
  public void onSlow(Consumer<Document> consumer) {
    slowOperations = consumer;
  }

  int slowMillis() {
    return slowMillis;
  }

  void slowMillis(int millis) {
    slowMillis = millis;
  }

  double sampleRate() {
    return sampleRate;
  }

  void sampleRate(double rate) {
    sampleRate = rate;
  }

  /**
   * Counts an answered request, and logs and profiles it if required.
   *
   * @param done whether it succeeded
   */
  public void answered(Request request, boolean done) {
    long nanos = request.operation().workingNanos();
    totals.answered(request, nanos, done);
    boolean slow = nanos >= slowMillis * MILLI;
    Setting setting = settings.isEmpty() ? Setting.OFF : setting(request.database());
    if (!slow && setting.level() < 2 && setting.filter().isEmpty()) {
      return;
    }
    Document entry = entry(request, nanos, done);
    boolean selected =
        setting.filter().map(filter -> filter.matches(entry)).orElseGet(() -> slow && sampled());
    if (selected) {
      log.add(engine.now(), "COMMAND", "Slow query", entry);
      Document description = description(request, nanos, done);
      LOG.log(System.Logger.Level.INFO, "slow operation {0}", description);
      slowOperations.accept(description);
    }
    if (setting.level() == 2 || (setting.level() == 1 && selected)) {
      write(request.database(), entry);
    }
  }

  private boolean sampled() {
    return sampleRate >= 1 || ThreadLocalRandom.current().nextDouble() < sampleRate;
  }

  /** Records one slice of the sweep as {@code remove}, if the database is profiled. */
  void sweptSlice(SweepRun slice) {
    String database = slice.namespace().database();
    if (!profiles(database)) {
      return;
    }
    Setting setting = setting(database);
    Document entry =
        Document.writer()
            .put("_id", newId())
            .put("op", "remove")
            .put("ns", slice.namespace().toString())
            .put("rule", slice.rule())
            .put("ndeleted", slice.swept().documents())
            .put("millis", slice.nanos() / MILLI)
            .put("micros", slice.nanos() / 1_000)
            .put("ts", Value.date(engine.now()))
            .build();
    boolean slow = slice.nanos() >= slowMillis * MILLI;
    boolean selected =
        setting.filter().map(filter -> filter.matches(entry)).orElseGet(() -> slow && sampled());
    if (setting.level() == 2 || selected) {
      write(database, entry);
    }
  }

  /** Logs a sweep if it was slow, as MongoDB does. */
  void swept(SweepRun run) {
    if (run.nanos() < slowMillis * MILLI) {
      return;
    }
    Document entry =
        Document.writer()
            .put("namespace", run.namespace().toString())
            .put("index", run.rule().replaceFirst("^index:", ""))
            .put("numDeleted", run.swept().documents())
            .put("durationMillis", run.nanos() / MILLI)
            .build();
    log.add(engine.now(), "INDEX", "Deleted expired documents using index", entry);
    LOG.log(System.Logger.Level.INFO, "slow sweep {0}", entry);
  }

  /**
   * Returns the description for the log of the process. It contains no values, because more people
   * may read the log.
   */
  private static Document description(Request request, long nanos, boolean done) {
    DocumentWriter description =
        Document.writer()
            .put("door", "mongo")
            .put("operation", request.name())
            .put("namespace", Kind.namespace(request))
            .put("millis", nanos / MILLI)
            .put("done", done);
    request
        .operation()
        .search()
        .ifPresent(
            search ->
                description
                    .put("plan", summary(search))
                    .put("keysExamined", search.keysExamined())
                    .put("documentsExamined", search.documentsExamined()));
    return description.put("shape", Shape.of(request)).build();
  }

  /** Returns the summary of a plan, such as {@code IXSCAN at_1, SORT}. */
  public static String summary(Explanation search) {
    return plan(search, IndexSpec::name) + (search.sorts() ? ", SORT" : "");
  }

  private static String plan(Explanation search, Function<IndexSpec, String> description) {
    return switch (search.access()) {
      case Explanation.Access.Point() -> "IDHACK";
      case Explanation.Access.Scan _ -> "COLLSCAN";
      case Explanation.Access.Index index -> "IXSCAN " + description.apply(index.index());
      case Explanation.Access.Union(List<Explanation.Access.Index> members) ->
          members.stream()
              .map(member -> "IXSCAN " + description.apply(member.index()))
              .collect(Collectors.joining(", "));
    };
  }

  private Document entry(Request request, long nanos, boolean done) {
    DocumentWriter entry =
        Document.writer()
            .put("_id", newId())
            .put("op", Kind.of(request).opName())
            .put("ns", Kind.namespace(request))
            .put("command", Secrets.redacted(request))
            .put("ok", done ? 1.0 : 0.0)
            .put("protocol", "op_msg")
            .put("millis", nanos / MILLI)
            .put("micros", nanos / 1_000)
            .put("ts", Value.date(engine.now()))
            .put("client", request.client().remote())
            .put("appName", request.client().application());
    request.client().identity().ifPresent(user -> entry.put("user", user.toString()));
    request.operation().search().ifPresent(search -> writePlan(search, entry));
    request.operation().returned().ifPresent(count -> entry.put("nreturned", count));
    return entry.build();
  }

  private static void writePlan(Explanation search, DocumentWriter entry) {
    entry
        .put("keysExamined", search.keysExamined())
        .put("docsExamined", search.documentsExamined())
        .put("planSummary", plan(search, index -> ShellText.of(Indexes.key(index))));
    if (search.sorts()) {
      entry.put("hasSortStage", true);
    }
  }

  private Value newId() {
    ByteBuffer bytes = ByteBuffer.allocate(12).putLong(idPrefix);
    return Value.objectId(bytes.putInt(idCounter.incrementAndGet()).array());
  }

  /** Writes a profile entry. A failure is logged only: the request itself must not fail. */
  private void write(String database, Document entry) {
    try {
      profile(new Namespace(database, PROFILE))
          .write(List.of(new Write.Insert(entry)), Grouping.ATOMIC, Durability.LOGGED)
          .only();
    } catch (EngineException failure) {
      LOG.log(System.Logger.Level.WARNING, "cannot write a profile entry", failure);
    }
  }

  private Collection profile(Namespace namespace) {
    return engine
        .find(namespace)
        .orElseGet(
            () -> {
              try {
                return engine.create(namespace, CollectionSpec.mongo().withCap(PROFILE_BYTES, 0));
              } catch (EngineException createdMeanwhile) {
                return engine.collection(namespace);
              }
            });
  }
}
