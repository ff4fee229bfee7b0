package dev.mayfly.mongo.admin;

import dev.mayfly.engine.Engine;
import dev.mayfly.mongo.cursor.Cursors;
import java.util.function.LongSupplier;

/** What the server knows of what it does: shared by those who do it and those who ask. */
public record Monitoring(
    Clients clients,
    Operations operations,
    Totals totals,
    ServerLog log,
    Profiler profiler,
    TtlMonitor ttl,
    WriteLock writeLock,
    WriteBlock writeBlock,
    Parameters parameters) {
  /** Nothing has happened yet. */
  public static Monitoring of(
      Engine engine,
      Host host,
      int maxConnections,
      LongSupplier ticker,
      int slowMillis,
      Cursors cursors,
      boolean testCommands) {
    Clients clients = new Clients(maxConnections);
    WriteLock lock = new WriteLock(engine, clients);
    Totals totals = new Totals();
    ServerLog log = new ServerLog();
    TtlMonitor ttl = new TtlMonitor(engine, ticker);
    Profiler profiler = new Profiler(engine, totals, log, slowMillis);
    engine.onSweep(profiler::swept);
    engine.onSweepSlice(profiler::sweptSlice);
    return new Monitoring(
        clients,
        new Operations(engine, clients, lock, host.hostname()),
        totals,
        log,
        profiler,
        ttl,
        lock,
        new WriteBlock(engine, lock),
        new Parameters(ttl, cursors, testCommands));
  }
}
