package dev.mayfly.metrics;

import dev.mayfly.Mayfly;
import dev.mayfly.cluster.Cells;
import dev.mayfly.engine.Engine;
import dev.mayfly.store.StoreStats;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** Prometheus metrics of a server. Safe for many threads. */
public final class Metrics implements AutoCloseable {
  private static final Duration[] BOUNDS = {
    Duration.ofNanos(100_000),
    Duration.ofNanos(250_000),
    Duration.ofMillis(1),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5)
  };

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<Operation, Timer> timers = new ConcurrentHashMap<>();
  private final JvmGcMetrics pauses = new JvmGcMetrics();
  private final Counter requestUnits;
  private volatile Runnable beforeScrape = () -> {};

  private volatile OperationObserver observer =
      new OperationObserver() {
        @Override
        public void operation(String door, boolean done, long nanos) {}

        @Override
        public void requestUnits(double units) {}
      };

  /** Labels of the operation timer. */
  private record Operation(String door, String kind, boolean done) {}

  /** Creates the metrics of a process, without those of its engines. */
  public Metrics() {
    this.requestUnits =
        Counter.builder("mayfly.request.units")
            .description("Request units reported to Cosmos DB clients")
            .register(registry);
    process();
  }

  /** Adds the metrics of an engine and its store, for a server that is alone. */
  public void engine(Engine engine, Supplier<StoreStats> store) {
    var _ = new EngineMetrics(engine, registry, Tags.empty());
    store(store);
  }

  /** Adds the metrics of a cluster, and those of each cell that this server serves. */
  public void cluster(Cells cells) {
    ClusterMetrics cluster = new ClusterMetrics(cells, registry);
    beforeScrape = cluster::update;
    cells.observe(cluster);
  }

  /** The build, the process and Java. */
  private void process() {
    Gauge.builder("mayfly.build.info", () -> 1)
        .description("Always 1; the label is the running version")
        .tag("version", Mayfly.VERSION)
        .register(registry);
    new UptimeMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    pauses.bindTo(registry);
  }

  private void gauge(String name, String text, Supplier<Number> value) {
    Gauge.builder(name, value).description(text).register(registry);
  }

  private void store(Supplier<StoreStats> store) {
    gauge("mayfly.store.bytes", "Files of the store", () -> store.get().bytesOnDisk());
    gauge(
        "mayfly.store.live.bytes",
        "Estimated size after a full compaction",
        () -> store.get().liveDataBytes());
    gauge(
        "mayfly.store.log.bytes",
        "Bytes written to the write-ahead log",
        () -> store.get().walBytesWritten());
    gauge(
        "mayfly.store.cache.bytes",
        "Memory of block cache and write buffers",
        () -> store.get().cacheBytes());
    gauge(
        "mayfly.store.pending.bytes",
        "Bytes that compaction still has to rewrite",
        () -> store.get().pendingCompactionBytes());
    FunctionCounter.builder("mayfly.store.cache.hits", store, of -> of.get().cacheHits())
        .description("Block cache hits")
        .register(registry);
    FunctionCounter.builder("mayfly.store.cache.misses", store, of -> of.get().cacheMisses())
        .description("Block cache misses")
        .register(registry);
    timer(
        "mayfly.store.commits",
        "Batches committed to the write-ahead log",
        store,
        StoreStats::commits);
    timer("mayfly.store.syncs", "Fsyncs of the write-ahead log", store, StoreStats::syncs);
  }

  private void timer(
      String name,
      String text,
      Supplier<StoreStats> store,
      Function<StoreStats, StoreStats.Timed> value) {
    FunctionTimer.builder(
            name,
            store,
            of -> value.apply(of.get()).count(),
            of -> value.apply(of.get()).nanos(),
            TimeUnit.NANOSECONDS)
        .description(text)
        .register(registry);
  }

  /** Adds a gauge for writes rejected because of a full disk. */
  public void readOnly(BooleanSupplier refused) {
    gauge(
        "mayfly.read.only",
        "1 while writes are rejected because the disk is full, otherwise 0",
        () -> refused.getAsBoolean() ? 1 : 0);
  }

  /** Adds a gauge for the connections of a door. */
  public void connections(String door, Supplier<Number> open) {
    Gauge.builder("mayfly.connections", open)
        .description("Open connections")
        .tag("door", door)
        .register(registry);
  }

  /** Adds a gauge for the memory of the process, in bytes. */
  public void memory(Supplier<Number> resident) {
    gauge("process.resident.memory.bytes", "Memory of the process", resident);
  }

  /** Adds a gauge for open cursors of MongoDB clients. */
  public void cursors(Supplier<Number> open) {
    gauge("mayfly.cursors", "Open cursors of MongoDB clients", open);
  }

  /** Observer of operations. */
  public interface OperationObserver {
    /**
     * Called after an operation.
     *
     * @param done whether it succeeded
     */
    void operation(String door, boolean done, long nanos);

    /** Called with the request units of an operation. */
    void requestUnits(double units);
  }

  /** Calls an observer after each operation, in place of an earlier one. */
  public void observe(OperationObserver operations) {
    observer = operations;
  }

  /** Records an operation and its duration. */
  public void operation(String door, String kind, boolean done, long nanos) {
    observer.operation(door, done, nanos);
    timers
        .computeIfAbsent(new Operation(door, kind, done), this::timer)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  private Timer timer(Operation operation) {
    return Timer.builder("mayfly.operations")
        .description("Operations of clients")
        .tag("door", operation.door())
        .tag("kind", operation.kind())
        .tag("outcome", operation.done() ? "done" : "refused")
        .serviceLevelObjectives(BOUNDS)
        .register(registry);
  }

  public void requestUnits(double units) {
    observer.requestUnits(units);
    requestUnits.increment(units);
  }

  /** Unregisters the listeners of the garbage collector. */
  @Override
  public void close() {
    pauses.close();
  }

  /** All metrics in the text format of Prometheus. */
  public String text() {
    beforeScrape.run();
    return registry.scrape();
  }
}
