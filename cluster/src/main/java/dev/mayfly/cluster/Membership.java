package dev.mayfly.cluster;

import dev.mayfly.store.Board;
import dev.mayfly.store.MemberRow;
import dev.mayfly.store.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Membership of this server: its slot, its row and its signs of life, which extend its lease and
 * raise the ceiling of its clock. Safe for many threads.
 */
final class Membership {
  private final Board board;
  private final ClusterClock clock;
  private final Lease lease;
  private final LongSupplier ticker;
  private final long leaseMillis;
  private volatile MemberRow row;

  /** Guarded by this object. */
  private long beat;

  /** Guarded by this object: it gives no further sign of life. */
  private boolean left;

  /**
   * @param row without slot and sign of life
   */
  Membership(
      Board board,
      MemberRow row,
      ClusterClock clock,
      Lease lease,
      Duration leaseLength,
      LongSupplier ticker) {
    this.board = board;
    this.row = row;
    this.clock = clock;
    this.lease = lease;
    this.leaseMillis = leaseLength.toMillis();
    this.ticker = ticker;
  }

  /** Returns the row as it is, or will be with the next sign of life. */
  MemberRow row() {
    return row;
  }

  /** Takes the lowest slot that is free. */
  void takeSlot() {
    Map<Integer, UUID> taken = board.slots();
    Set<UUID> members = board.members().stream().map(MemberRow::server).collect(Collectors.toSet());
    for (int slot = 0; slot < Member.SLOTS; slot++) {
      UUID holder = taken.get(slot);
      if (holder == null && board.takeSlot(slot, Optional.empty(), row.server())) {
        withSlot(slot);
        return;
      }
    }
    // servers that were killed between taking a slot and their first sign of life
    for (Map.Entry<Integer, UUID> slot : taken.entrySet()) {
      if (!members.contains(slot.getValue())
          && board.takeSlot(slot.getKey(), Optional.of(slot.getValue()), row.server())) {
        withSlot(slot.getKey());
        return;
      }
    }
    throw new StoreException(
        StoreException.Reason.IN_USE, "the cluster has " + Member.SLOTS + " servers already");
  }

  private synchronized void withSlot(int slot) {
    row = row.withSlot(slot);
  }

  /** Publishes addresses for clients with the next sign of life. */
  synchronized void announce(String mongo, Optional<String> cosmos) {
    row = row.withClients(mongo, cosmos.orElse(""));
  }

  /**
   * Gives a sign of life.
   *
   * @param load number of cells; infinite if it takes none
   */
  synchronized void beat(double load) {
    if (left) {
      return;
    }
    long start = ticker.getAsLong();
    beat++;
    long until = clock.time() + leaseMillis;
    row = row.withBeat(beat, Math.max(until, row.until()), load);
    board.beat(row);
    clock.ceiling(row.until());
    lease.renew(start);
  }

  /** Gives no further sign of life, as a server that was killed. */
  synchronized void halt() {
    left = true;
  }

  /** Leaves the cluster. Call it when no cell is open. */
  synchronized void leave() {
    left = true;
    board.freeSlot(row.slot(), row.server());
    board.leave(row.server());
  }
}
