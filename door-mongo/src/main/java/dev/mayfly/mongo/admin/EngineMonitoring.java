package dev.mayfly.mongo.admin;

import dev.mayfly.engine.Engine;
import dev.mayfly.mongo.cursor.Cursors;
import java.util.function.LongSupplier;

/**
 * Profiler, TTL monitor, write lock, write block and parameters of one engine. Those of the server
 * are in {@link Monitoring}. Thread-safe.
 */
public record EngineMonitoring(
    Profiler profiler,
    TtlMonitor ttl,
    WriteLock writeLock,
    WriteBlock writeBlock,
    Parameters parameters) {
  /**
   * Returns the monitoring of an engine that was just opened, registered for events of its sweep.
   *
   * @param ticker monotonic nanoseconds
   * @param slowMillis the duration from which an operation is logged as slow
   */
  public static EngineMonitoring of(
      Engine engine,
      Monitoring server,
      LongSupplier ticker,
      int slowMillis,
      Cursors cursors,
      boolean testCommands) {
    WriteLock lock = new WriteLock(engine, server.clients());
    TtlMonitor ttl = new TtlMonitor(engine, ticker);
    Profiler profiler = new Profiler(engine, server.totals(), server.log(), slowMillis);
    engine.onSweep(profiler::swept);
    engine.onSweepSlice(profiler::sweptSlice);
    return new EngineMonitoring(
        profiler,
        ttl,
        lock,
        new WriteBlock(engine, lock),
        new Parameters(ttl, cursors, testCommands));
  }
}
