package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What has been done since the door was opened, in numbers. Safe for many threads. */
public final class Totals {
  /** Beyond so many namespaces, new ones are counted together. */
  private static final int MOST_NAMESPACES = 10_000;

  private static final long MICROS = 1_000;

  private final Map<Kind, LongAdder> byKind = new EnumMap<>(Kind.class);
  private final Map<String, Spent> byNamespace = new ConcurrentHashMap<>();

  /** What was spent on requests that failed, about namespaces of which none has succeeded. */
  private final Spent failed = new Spent();

  private final LongAdder bytesIn = new LongAdder();
  private final LongAdder bytesOut = new LongAdder();
  private final LongAdder requests = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private volatile Observer observer = (_, _, _) -> {};

  /** How often and how long, by kind. */
  private static final class Spent {
    private final Map<Kind, LongAdder> counts = zeros();
    private final Map<Kind, LongAdder> nanos = zeros();
    private final Map<Kind, Latencies> spread = new ConcurrentHashMap<>();

    private static Map<Kind, LongAdder> zeros() {
      Map<Kind, LongAdder> zeros = new EnumMap<>(Kind.class);
      for (Kind kind : Kind.values()) {
        zeros.put(kind, new LongAdder());
      }
      return zeros;
    }

    private void add(Spent other) {
      for (Kind kind : Kind.values()) {
        Totals.add(counts, kind, sum(other.counts, Set.of(kind)));
        Totals.add(nanos, kind, sum(other.nanos, Set.of(kind)));
      }
    }

    private static long sum(Map<Kind, LongAdder> adders) {
      return sum(adders, adders.keySet());
    }

    private static long sum(Map<Kind, LongAdder> adders, Set<Kind> kinds) {
      long sum = 0;
      for (Map.Entry<Kind, LongAdder> adder : adders.entrySet()) {
        sum += kinds.contains(adder.getKey()) ? adder.getValue().sum() : 0;
      }
      return sum;
    }
  }

  public Totals() {
    byKind.putAll(Spent.zeros());
  }

  /** Counts bytes that came and bytes that went. */
  public void carried(long in, long out) {
    bytesIn.add(in);
    bytesOut.add(out);
    requests.increment();
  }

  /** Has an observer told of every request, in place of any before it. */
  public void observe(Observer told) {
    observer = told;
  }

  /** Counts a request that was answered. */
  void answered(Request request, long nanos, boolean done) {
    Kind kind = Kind.of(request);
    observer.answered(kind.counted(), done, nanos);
    add(byKind, kind, 1);
    Spent spent = spent(Kind.namespace(request), done);
    add(spent.counts, kind, 1);
    add(spent.nanos, kind, nanos);
    spent.spread.computeIfAbsent(kind, _ -> new Latencies()).add(nanos / MICROS);
    if (!done) {
      failures.increment();
    }
  }

  private static void add(Map<Kind, LongAdder> adders, Kind kind, long amount) {
    LongAdder adder = adders.get(kind);
    if (adder != null) {
      adder.add(amount);
    }
  }

  private Spent spent(String namespace, boolean done) {
    Spent known = byNamespace.get(namespace);
    if (known != null) {
      return known;
    }
    if (!done) {
      return failed;
    }
    String name = byNamespace.size() < MOST_NAMESPACES ? namespace : "others";
    return byNamespace.computeIfAbsent(name, _ -> new Spent());
  }

  void writeCounters(DocumentWriter reply) {
    reply.startDocument("opcounters");
    byKind.forEach((kind, count) -> reply.put(kind.counted(), count.sum()));
    reply.end();
  }

  void writeNetwork(DocumentWriter reply) {
    reply
        .startDocument("network")
        .put("bytesIn", bytesIn.sum())
        .put("bytesOut", bytesOut.sum())
        .put("numRequests", requests.sum())
        .end();
  }

  long failures() {
    return failures.sum();
  }

  /** Writes one field per namespace, as {@code top} shows them. */
  void writeTop(DocumentWriter reply) {
    new TreeMap<>(byNamespace).forEach((namespace, spent) -> write(namespace, spent, reply));
  }

  /** Writes how long all requests took, as {@code serverStatus} shows it. */
  void writeLatency(DocumentWriter to) {
    Spent all = new Spent();
    byNamespace.values().forEach(all::add);
    all.add(failed);
    to.startDocument("opLatencies");
    writeLatency(all, false, to);
    to.end();
  }

  /**
   * Writes how long requests about a namespace took, as {@code $collStats} shows it.
   *
   * @param spread whether also how many took how long
   */
  public void writeLatency(String namespace, boolean spread, DocumentWriter to) {
    writeLatency(byNamespace.getOrDefault(namespace, new Spent()), spread, to);
  }

  private static void writeLatency(Spent spent, boolean spread, DocumentWriter to) {
    writeLatency("reads", spent, Set.of(Kind.QUERY, Kind.GETMORE), spread, to);
    writeLatency("writes", spent, Set.of(Kind.INSERT, Kind.UPDATE, Kind.DELETE), spread, to);
    writeLatency("commands", spent, Set.of(Kind.COMMAND), spread, to);
    writeLatency("transactions", spent, Set.of(), spread, to);
  }

  private static void writeLatency(
      String name, Spent spent, Set<Kind> kinds, boolean spread, DocumentWriter to) {
    to.startDocument(name);
    if (spread) {
      Latencies.write(kinds.stream().map(spent.spread::get).filter(Objects::nonNull).toList(), to);
    }
    to.put("latency", Spent.sum(spent.nanos, kinds) / MICROS)
        .put("ops", Spent.sum(spent.counts, kinds))
        .end();
  }

  private static void write(String namespace, Spent spent, DocumentWriter reply) {
    reply.startDocument(namespace);
    write("total", Spent.sum(spent.nanos), Spent.sum(spent.counts), reply);
    for (Kind kind : Kind.values()) {
      String name =
          kind == Kind.QUERY ? "queries" : kind.shown() + (kind == Kind.COMMAND ? "s" : "");
      LongAdder nanos = spent.nanos.get(kind);
      LongAdder count = spent.counts.get(kind);
      write(name, nanos == null ? 0 : nanos.sum(), count == null ? 0 : count.sum(), reply);
    }
    reply.end();
  }

  private static void write(String name, long nanos, long count, DocumentWriter reply) {
    reply.startDocument(name).put("time", nanos / MICROS).put("count", count).end();
  }
}
