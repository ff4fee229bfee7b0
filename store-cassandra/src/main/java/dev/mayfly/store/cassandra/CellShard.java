package dev.mayfly.store.cassandra;

import dev.mayfly.store.Batch;
import dev.mayfly.store.RecordCache;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Shard of a cell. A commit is acknowledged when a quorum of Cassandra has it, so it is synced when
 * it returns.
 */
final class CellShard extends CellReader implements Shard {
  private final Committer committer;
  private final long epoch;

  CellShard(Cell cell, Committer committer, int number, long epoch) {
    super(cell, number);
    this.committer = committer;
    this.epoch = epoch;
  }

  @Override
  Instant instant() {
    // the generation first: nothing older than it is read from the cache later
    int generation = RecordCache.generation(region());
    return new Instant(cell().view(), generation);
  }

  @Override
  void check() {}

  @Override
  boolean keeps() {
    return true;
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public byte @Nullable [] readIfCached(Space space, byte[] key) {
    return readMemory(space, key);
  }

  @Override
  public boolean isRemote() {
    return true;
  }

  @Override
  public Snapshot snapshot() {
    int generation = RecordCache.generation(region());
    return CellSnapshot.of(cell(), number(), cell().snapshot(), generation);
  }

  @Override
  public void forgetDropped() {
    cell().records().forget(number());
  }

  /** Empty: blocks of a scan come from Cassandra. */
  @Override
  public Optional<Snapshot> nonBlockingSnapshot() {
    return Optional.empty();
  }

  @Override
  public long commit(Batch batch) {
    return committer.commit(List.of(fenced(batch)));
  }

  Committer.Fenced fenced(Batch batch) {
    return new Committer.Fenced(number(), epoch, batch);
  }

  boolean isOf(Cell other) {
    return cell() == other;
  }

  /** A commit is a round trip: always empty. */
  @Override
  public OptionalLong tryCommit(Batch batch) {
    return OptionalLong.empty();
  }

  @Override
  public void sync(long ticket) {
    cell().checkOpen();
  }

  @Override
  public boolean trySync(long ticket) {
    cell().checkOpen();
    return true;
  }

  @Override
  public void wakeAfterFlush(long ticket, Runnable wake) {
    wake.run();
  }

  @Override
  public long syncedThrough() {
    cell().checkOpen();
    return committer.lastTicket();
  }
}
