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
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Looks at every request that was answered: counts it, and writes it down where its database is
 * profiled or where it was slow. Safe for many threads.
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

  public Profiler(Engine engine, Totals totals, ServerLog log, int slowMillis) {
    this.engine = engine;
    this.totals = totals;
    this.log = log;
    this.slowMillis = slowMillis;
  }

  /**
   * What is to be written down of a database.
   *
   * @param level 0 nothing, 1 what is slow or passes the filter, 2 everything
   * @param wanted what is logged, and profiled at level 1, however long it took
   */
  record Setting(int level, Optional<Wanted> wanted) {
    static final Setting OFF = new Setting(0, Optional.empty());

    Setting withLevel(int to) {
      return new Setting(to, wanted);
    }

    Setting withWanted(Optional<Wanted> to) {
      return new Setting(level, to);
    }
  }

  /** A filter for entries of a profile, as it was written and as it is asked. */
  record Wanted(Document syntax, Filter filter) {
    static Wanted of(Document syntax) {
      return new Wanted(syntax, Filters.parse(syntax));
    }

    /** Whether an entry passes; one that cannot be asked does not. */
    boolean takes(Document entry) {
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

  /** Whether requests to a database may be written down in it. */
  public boolean profiles(String database) {
    return !settings.isEmpty() && setting(database).level() > 0;
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
   * Takes note of a request that was answered.
   *
   * @param done whether it succeeded
   */
  public void answered(Request request, boolean done) {
    long nanos = request.operation().workingNanos();
    totals.answered(request, nanos, done);
    boolean slow = nanos >= slowMillis * MILLI;
    Setting setting = settings.isEmpty() ? Setting.OFF : setting(request.database());
    if (!slow && setting.level() < 2 && setting.wanted().isEmpty()) {
      return;
    }
    Document entry = entry(request, nanos, done);
    boolean noted =
        setting.wanted().map(wanted -> wanted.takes(entry)).orElseGet(() -> slow && sampled());
    if (noted) {
      log.add(engine.now(), "COMMAND", "Slow query", entry);
      LOG.log(System.Logger.Level.INFO, "slow operation {0}", shown(request, nanos, done));
    }
    if (setting.level() == 2 || (setting.level() == 1 && noted)) {
      write(request.database(), entry);
    }
  }

  private boolean sampled() {
    return sampleRate >= 1 || ThreadLocalRandom.current().nextDouble() < sampleRate;
  }

  /** Writes down one slice of the sweep, where its database is profiled, as a removal. */
  void sweptSlice(SweepRun slice) {
    String database = slice.namespace().database();
    if (!profiles(database)) {
      return;
    }
    Setting setting = setting(database);
    Document entry =
        Document.writer()
            .put("_id", freshId())
            .put("op", "remove")
            .put("ns", slice.namespace().toString())
            .put("rule", slice.rule())
            .put("ndeleted", slice.swept().documents())
            .put("millis", slice.nanos() / MILLI)
            .put("micros", slice.nanos() / 1_000)
            .put("ts", Value.date(engine.now()))
            .build();
    boolean slow = slice.nanos() >= slowMillis * MILLI;
    boolean noted =
        setting.wanted().map(wanted -> wanted.takes(entry)).orElseGet(() -> slow && sampled());
    if (setting.level() == 2 || noted) {
      write(database, entry);
    }
  }

  /** Takes note of what was swept; as in MongoDB it is logged when it is slow. */
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

  /** What the log of the process says, which others may read: no values. */
  private static Document shown(Request request, long nanos, boolean done) {
    DocumentWriter shown =
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
                shown
                    .put("plan", plan(search, IndexSpec::name) + (search.sorts() ? ", SORT" : ""))
                    .put("keysExamined", search.keysExamined())
                    .put("documentsExamined", search.documentsExamined()));
    return shown.put("shape", Shape.of(request)).build();
  }

  private static String plan(Explanation search, Function<IndexSpec, String> shown) {
    return switch (search.access()) {
      case Explanation.Access.Point() -> "IDHACK";
      case Explanation.Access.Scan _ -> "COLLSCAN";
      case Explanation.Access.Index index -> "IXSCAN " + shown.apply(index.index());
      case Explanation.Access.Union(List<Explanation.Access.Index> members) ->
          members.stream()
              .map(member -> "IXSCAN " + shown.apply(member.index()))
              .collect(Collectors.joining(", "));
    };
  }

  private Document entry(Request request, long nanos, boolean done) {
    DocumentWriter entry =
        Document.writer()
            .put("_id", freshId())
            .put("op", Kind.of(request).shown())
            .put("ns", Kind.namespace(request))
            .put("command", Secrets.shown(request))
            .put("ok", done ? 1.0 : 0.0)
            .put("protocol", "op_msg")
            .put("millis", nanos / MILLI)
            .put("micros", nanos / 1_000)
            .put("ts", Value.date(engine.now()))
            .put("client", request.client().remote())
            .put("appName", request.client().application());
    request.client().identity().ifPresent(user -> entry.put("user", user.toString()));
    request.operation().search().ifPresent(search -> tell(search, entry));
    request.operation().returned().ifPresent(count -> entry.put("nreturned", count));
    return entry.build();
  }

  private static void tell(Explanation search, DocumentWriter entry) {
    entry
        .put("keysExamined", search.keysExamined())
        .put("docsExamined", search.documentsExamined())
        .put("planSummary", plan(search, index -> ShellText.of(Indexes.key(index))));
    if (search.sorts()) {
      entry.put("hasSortStage", true);
    }
  }

  private Value freshId() {
    ByteBuffer bytes = ByteBuffer.allocate(12).putLong(idPrefix);
    return Value.objectId(bytes.putInt(idCounter.incrementAndGet()).array());
  }

  /** A profile that cannot be written must not fail what it is about. */
  private void write(String database, Document entry) {
    try {
      profile(new Namespace(database, PROFILE))
          .write(List.of(new Write.Insert(entry)), Grouping.ATOMIC, Durability.LOGGED)
          .only();
    } catch (EngineException failure) {
      LOG.log(System.Logger.Level.WARNING, "a profile entry was lost", failure);
    }
  }

  private Collection profile(Namespace namespace) {
    return engine
        .find(namespace)
        .orElseGet(
            () -> {
              try {
                return engine.create(namespace, CollectionSpec.mongo().withCap(PROFILE_BYTES, 0));
              } catch (EngineException madeMeanwhile) {
                return engine.collection(namespace);
              }
            });
  }
}
