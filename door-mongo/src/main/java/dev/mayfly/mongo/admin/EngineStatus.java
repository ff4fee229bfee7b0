package dev.mayfly.mongo.admin;

import dev.mayfly.engine.SweepStats;
import dev.mayfly.engine.Usage;
import dev.mayfly.mongo.cursor.Cursors;
import java.util.List;

/** Sources of {@code serverStatus} in one engine, and their sums over the engines of a server. */
public record EngineStatus(EngineMonitoring monitoring, IndexCensus indexes, Cursors cursors) {
  private static final SweepStats NOTHING = new SweepStats(0, 0, 0, 0, 0, 0, Long.MAX_VALUE);

  /** The sums of the sweeps; the longest lag and the next due expiry of all. */
  static SweepStats sweeps(List<EngineStatus> engines) {
    return engines.stream()
        .map(engine -> engine.monitoring().ttl().stats())
        .reduce(NOTHING, EngineStatus::sum);
  }

  private static SweepStats sum(SweepStats one, SweepStats other) {
    return new SweepStats(
        one.documents() + other.documents(),
        one.bytes() + other.bytes(),
        one.passes() + other.passes(),
        one.batches() + other.batches(),
        one.sweepNanos() + other.sweepNanos(),
        Math.max(one.lagMillis(), other.lagMillis()),
        Math.min(one.nextDue(), other.nextDue()));
  }

  /** The expired documents that are not swept yet. */
  static Usage backlog(List<EngineStatus> engines) {
    return engines.stream()
        .map(engine -> engine.monitoring().ttl().backlog())
        .reduce(Usage.NONE, Usage::plus);
  }

  static long passes(List<EngineStatus> engines) {
    return engines.stream().mapToLong(engine -> engine.monitoring().ttl().passes()).sum();
  }

  /** Whether no engine has paused its expiry. */
  static boolean ttlEnabled(List<EngineStatus> engines) {
    return engines.stream().allMatch(engine -> engine.monitoring().ttl().enabled());
  }

  static boolean locked(List<EngineStatus> engines) {
    return engines.stream().anyMatch(engine -> engine.monitoring().writeLock().count() > 0);
  }
}
