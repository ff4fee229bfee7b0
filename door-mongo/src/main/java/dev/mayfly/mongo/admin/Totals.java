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

/** Operation counters, latencies and network traffic since the door was opened. Thread-safe. */
public final class Totals {
  /** Further namespaces are counted together, as {@code others}. */
  private static final int MAX_NAMESPACES = 10_000;

  private static final long MICROS = 1_000;

  private final Map<Kind, LongAdder> byKind = new EnumMap<>(Kind.class);
  private final Map<String, Counters> byNamespace = new ConcurrentHashMap<>();

  /**
   * Failed requests to namespaces without a successful request. These have no entry of their own,
   * so that clients cannot fill the map with names.
   */
  private final Counters failed = new Counters();

  private final LongAdder bytesIn = new LongAdder();
  private final LongAdder bytesOut = new LongAdder();
  private final LongAdder requests = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private volatile Observer observer = (_, _, _) -> {};

  /** Number and duration of requests, by operation type. */
  private static final class Counters {
    private final Map<Kind, LongAdder> counts = zeros();
    private final Map<Kind, LongAdder> nanos = zeros();
    private final Map<Kind, Latencies> histogram = new ConcurrentHashMap<>();

    private static Map<Kind, LongAdder> zeros() {
      Map<Kind, LongAdder> zeros = new EnumMap<>(Kind.class);
      for (Kind kind : Kind.values()) {
        zeros.put(kind, new LongAdder());
      }
      return zeros;
    }

    private void add(Counters other) {
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
    byKind.putAll(Counters.zeros());
  }

  /** Counts a request, the bytes received and the bytes sent. */
  public void addTraffic(long in, long out) {
    bytesIn.add(in);
    bytesOut.add(out);
    requests.increment();
  }

  /** Calls the observer after every request, instead of the previous observer. */
  public void observe(Observer next) {
    observer = next;
  }

  /** Counts an answered request. */
  void answered(Request request, long nanos, boolean done) {
    Kind kind = Kind.of(request);
    observer.answered(kind.counterName(), done, nanos);
    add(byKind, kind, 1);
    Counters counters = counters(Kind.namespace(request), done);
    add(counters.counts, kind, 1);
    add(counters.nanos, kind, nanos);
    counters.histogram.computeIfAbsent(kind, _ -> new Latencies()).add(nanos / MICROS);
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

  private Counters counters(String namespace, boolean done) {
    Counters known = byNamespace.get(namespace);
    if (known != null) {
      return known;
    }
    if (!done) {
      return failed;
    }
    String name = byNamespace.size() < MAX_NAMESPACES ? namespace : "others";
    return byNamespace.computeIfAbsent(name, _ -> new Counters());
  }

  void writeCounters(DocumentWriter reply) {
    reply.startDocument("opcounters");
    byKind.forEach((kind, count) -> reply.put(kind.counterName(), count.sum()));
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

  /** Writes one field per namespace, as in {@code top}. */
  void writeTop(DocumentWriter reply) {
    new TreeMap<>(byNamespace).forEach((namespace, counters) -> write(namespace, counters, reply));
  }

  /** Writes the latencies of all requests, as in {@code serverStatus}. */
  void writeLatency(DocumentWriter to) {
    Counters all = new Counters();
    byNamespace.values().forEach(all::add);
    all.add(failed);
    to.startDocument("opLatencies");
    writeLatency(all, false, to);
    to.end();
  }

  /**
   * Writes the latencies of requests to a namespace, as in {@code $collStats}.
   *
   * @param histogram whether to write the histogram
   */
  public void writeLatency(String namespace, boolean histogram, DocumentWriter to) {
    writeLatency(byNamespace.getOrDefault(namespace, new Counters()), histogram, to);
  }

  private static void writeLatency(Counters counters, boolean histogram, DocumentWriter to) {
    writeLatency("reads", counters, Set.of(Kind.QUERY, Kind.GETMORE), histogram, to);
    writeLatency("writes", counters, Set.of(Kind.INSERT, Kind.UPDATE, Kind.DELETE), histogram, to);
    writeLatency("commands", counters, Set.of(Kind.COMMAND), histogram, to);
    writeLatency("transactions", counters, Set.of(), histogram, to);
  }

  private static void writeLatency(
      String name, Counters counters, Set<Kind> kinds, boolean histogram, DocumentWriter to) {
    to.startDocument(name);
    if (histogram) {
      Latencies.write(
          kinds.stream().map(counters.histogram::get).filter(Objects::nonNull).toList(), to);
    }
    to.put("latency", Counters.sum(counters.nanos, kinds) / MICROS)
        .put("ops", Counters.sum(counters.counts, kinds))
        .end();
  }

  private static void write(String namespace, Counters counters, DocumentWriter reply) {
    reply.startDocument(namespace);
    write("total", Counters.sum(counters.nanos), Counters.sum(counters.counts), reply);
    for (Kind kind : Kind.values()) {
      String name =
          kind == Kind.QUERY ? "queries" : kind.opName() + (kind == Kind.COMMAND ? "s" : "");
      LongAdder nanos = counters.nanos.get(kind);
      LongAdder count = counters.counts.get(kind);
      write(name, nanos == null ? 0 : nanos.sum(), count == null ? 0 : count.sum(), reply);
    }
    reply.end();
  }

  private static void write(String name, long nanos, long count, DocumentWriter reply) {
    reply.startDocument(name).put("time", nanos / MICROS).put("count", count).end();
  }
}
