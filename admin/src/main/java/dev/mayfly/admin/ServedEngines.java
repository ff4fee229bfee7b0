package dev.mayfly.admin;

import dev.mayfly.cluster.Cell;
import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.Route;
import dev.mayfly.engine.Alarm;
import dev.mayfly.engine.ClockLeap;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.SweepStats;
import dev.mayfly.engine.Usage;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The engines of one server: one, or those of its cells; and sums over them. Thread-safe. */
public final class ServedEngines {
  private final Cells cells;
  private final LongSupplier wall;

  /**
   * @param wall epoch milliseconds, for a server without cells
   */
  public ServedEngines(Cells cells, LongSupplier wall) {
    this.cells = cells;
    this.wall = wall;
  }

  /** Returns the engines, in the order of their cells. */
  public List<Engine> all() {
    return cells.served().stream().map(Cell::engine).toList();
  }

  /** Returns the engine of a database, unless another server has it. */
  public Optional<Engine> of(String database) {
    return cells.route(database) instanceof Route.Here(Cell cell)
        ? Optional.of(cell.engine())
        : Optional.empty();
  }

  /** Returns the time in epoch milliseconds. */
  public long now() {
    return all().stream().mapToLong(Engine::now).max().orElseGet(wall);
  }

  public SweepStats sweepStats() {
    SweepStats sum = new SweepStats(0, 0, 0, 0, 0, 0, Long.MAX_VALUE);
    for (Engine engine : all()) {
      SweepStats one = engine.sweepStats();
      sum =
          new SweepStats(
              sum.documents() + one.documents(),
              sum.bytes() + one.bytes(),
              sum.passes() + one.passes(),
              sum.batches() + one.batches(),
              sum.sweepNanos() + one.sweepNanos(),
              Math.max(sum.lagMillis(), one.lagMillis()),
              Math.min(sum.nextDue(), one.nextDue()));
    }
    return sum;
  }

  public Usage backlog() {
    return all().stream().map(Engine::backlog).reduce(Usage.NONE, Usage::plus);
  }

  public int openTransactions() {
    return all().stream().mapToInt(Engine::openTransactions).sum();
  }

  /** Returns the first clock step that is not confirmed. */
  public Optional<ClockLeap> clockLeap() {
    return all().stream().flatMap(engine -> engine.clockLeap().stream()).findFirst();
  }

  /** Returns the alarms that are raised. */
  public List<Alarm> alarms() {
    return all().stream().flatMap(engine -> engine.alarms().raised().stream()).toList();
  }
}
