package dev.mayfly.cluster;

import dev.mayfly.store.Board;
import dev.mayfly.store.CellState;
import dev.mayfly.store.MemberRow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Keeps the ownership of cells as the board shows it: reads members and cells, and claims or closes
 * cells where that is to be done. One thread reads at a time; what was read is safe for many.
 */
final class Ownership {
  /** After how long the row of a dead server that owns nothing is removed. */
  private static final long FORGET_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final UUID self;
  private final Board board;
  private final Lease lease;
  private final CellHost host;
  private final LongSupplier ticker;
  private final Sightings sightings;
  private final TakeOver takeOver;
  private final Executor background;
  private final BooleanSupplier takesCells;
  private volatile ClusterMap map = ClusterMap.EMPTY;
  private volatile List<MemberRow> members = List.of();

  /**
   * @param leaseLength of all servers
   * @param background executes tasks that block, each by a thread of its own
   * @param takesCells returns whether this server may own cells
   */
  Ownership(
      UUID self,
      Board board,
      Lease lease,
      Duration leaseLength,
      CellHost host,
      LongSupplier ticker,
      Executor background,
      BooleanSupplier takesCells) {
    this.self = self;
    this.board = board;
    this.lease = lease;
    this.host = host;
    this.ticker = ticker;
    this.sightings = new Sightings(leaseLength);
    this.takeOver = new TakeOver(self, sightings);
    this.background = background;
    this.takesCells = takesCells;
  }

  /** Returns what was read last. */
  ClusterMap map() {
    return map;
  }

  /** Returns the rows of all servers that had not left, alive or not. */
  List<MemberRow> members() {
    return members;
  }

  /** Returns the time since the last new sign of life of a server, in nanoseconds. */
  long silence(UUID server) {
    return sightings.age(server, ticker.getAsLong());
  }

  /** Reads the board, and begins to claim or close cells. */
  void look() {
    long start = ticker.getAsLong();
    // cells first: a server writes its row before it claims a cell
    List<CellState> cells = board.cells();
    List<MemberRow> rows = board.members();
    Set<UUID> owners =
        cells.stream().flatMap(cell -> cell.owner().stream()).collect(Collectors.toSet());
    sightings.update(rows, owners, ticker.getAsLong());
    members = rows;
    map = ClusterMap.of(rows, id -> id.equals(self) || !sightings.isSilent(id, start), cells);
    closeLost();
    if (lease.current() != 0) {
      for (TakeOver.Claim claim : takeOver.claims(map, rows, host::holds, start)) {
        background.execute(() -> take(claim));
      }
    }
    forget(start);
  }

  private void closeLost() {
    for (CellState cell : map.cells().values()) {
      if (!cell.owner().equals(Optional.of(self)) && host.hasLost(cell)) {
        background.execute(() -> host.closeLost(cell));
      }
    }
  }

  private void take(TakeOver.Claim claim) {
    CellState cell = claim.expected();
    if (takesCells.getAsBoolean()) {
      host.take(claim);
    } else if (cell.owner().equals(Optional.of(self))) {
      board.handOver(cell.cell(), cell.epoch(), self, Optional.empty(), claim.floor());
    }
  }

  /** Removes the rows of servers that are long dead and own nothing any more. */
  private void forget(long tick) {
    for (MemberRow row : members) {
      if (!row.server().equals(self)
          && sightings.age(row.server(), tick) > FORGET_NANOS
          && map.cellsOf(row.server()) == 0) {
        board.freeSlot(row.slot(), row.server());
        board.leave(row.server());
      }
    }
  }
}
