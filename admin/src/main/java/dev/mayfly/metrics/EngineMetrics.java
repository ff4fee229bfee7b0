package dev.mayfly.metrics;

import dev.mayfly.engine.Alarm;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.SweepStats;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.archive.ArchiveStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Meters of one engine. Closing them removes them from their registry. */
final class EngineMetrics implements AutoCloseable {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final double MILLIS = 1000;

  private final Engine engine;
  private final MeterRegistry registry;
  private final Tags tags;
  private final List<Meter> meters = new ArrayList<>();

  /**
   * @param tags of all meters
   */
  EngineMetrics(Engine engine, MeterRegistry registry, Tags tags) {
    this.engine = engine;
    this.registry = registry;
    this.tags = tags;
    sweep();
    archive();
    future();
    alarms();
  }

  private void sweep() {
    counter("mayfly.swept.documents", "Expired documents swept", SweepStats::documents);
    counter("mayfly.swept.bytes", "Bytes of expired documents swept", SweepStats::bytes);
    counter("mayfly.sweep.passes", "Passes of the sweep", SweepStats::passes);
    gauge(
        "mayfly.sweep.lag.seconds",
        "Age of the oldest expired document that is not swept yet",
        () -> engine.sweepStats().lagMillis() / MILLIS);
    gauge(
        "mayfly.sweep.backlog",
        "Expired documents that are not swept yet",
        () -> engine.backlog().documents());
  }

  private void archive() {
    archived(
        "mayfly.archived.documents",
        "Expired documents that were delivered to their target",
        ArchiveStatus::delivered);
    archived(
        "mayfly.archive.failures",
        "Failed attempts to deliver expired documents; each is repeated",
        ArchiveStatus::failures);
    archived(
        "mayfly.archive.discarded",
        "Expired documents that were discarded because too many waited",
        ArchiveStatus::discarded);
    gauge(
        "mayfly.archive.waiting",
        "Expired documents that are not delivered yet",
        () -> engine.archiveStatus().waiting());
    gauge(
        "mayfly.archive.waiting.bytes",
        "Bytes of expired documents that are not delivered yet",
        () -> engine.archiveStatus().waitingBytes());
    gauge(
        "mayfly.archive.lag.seconds",
        "Time since the first document that is not delivered yet expired",
        () -> engine.archiveStatus().lagMillis() / MILLIS);
  }

  private void archived(String name, String text, ToLongFunction<ArchiveStatus> value) {
    ToDoubleFunction<Engine> count = from -> value.applyAsLong(from.archiveStatus());
    meters.add(
        FunctionCounter.builder(name, engine, count)
            .description(text)
            .tags(tags)
            .register(registry));
  }

  private void counter(String name, String text, ToLongFunction<SweepStats> value) {
    ToDoubleFunction<Engine> count = from -> value.applyAsLong(from.sweepStats());
    meters.add(
        FunctionCounter.builder(name, engine, count)
            .description(text)
            .tags(tags)
            .register(registry));
  }

  private void gauge(String name, String text, Supplier<Number> value) {
    meters.add(Gauge.builder(name, value).description(text).tags(tags).register(registry));
  }

  private void future() {
    gauge("mayfly.documents", "Live documents", () -> sum(Collection::usage).documents());
    gauge(
        "mayfly.documents.bytes", "Bytes of live documents", () -> sum(Collection::usage).bytes());
    gauge("mayfly.transactions", "Open transactions", engine::openTransactions);
    gauge("mayfly.due.hour", "Documents that will expire within the hour", () -> due(HOUR));
    gauge("mayfly.due.day", "Documents that will expire within the day", () -> due(DAY));
  }

  private long due(Duration within) {
    long until = engine.now() + within.toMillis();
    return sum(collection -> collection.expiry().forecast(until).total()).documents();
  }

  private Usage sum(Function<Collection, Usage> value) {
    Usage sum = Usage.NONE;
    for (Namespace namespace : engine.namespaces()) {
      sum = sum.plus(engine.find(namespace).map(value).orElse(Usage.NONE));
    }
    return sum;
  }

  private void alarms() {
    for (Alarm.Kind kind : Alarm.Kind.values()) {
      meters.add(
          Gauge.builder("mayfly.alarms", () -> engine.alarms().count(kind))
              .description("Alarms that are raised")
              .tags(tags)
              .tag("kind", kind.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
  }

  @Override
  public void close() {
    meters.forEach(registry::remove);
  }
}
