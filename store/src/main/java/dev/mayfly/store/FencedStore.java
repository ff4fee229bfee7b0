package dev.mayfly.store;

import dev.mayfly.store.StoreException.Reason;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A store in memory of one owner of a cell: commits fail once another one has claimed the cell. The
 * check and the commit are one step for those that hold the same lock while they claim. Closing it
 * leaves the store in memory open for the next owner.
 */
final class FencedStore extends ForwardingStore {
  private final BooleanSupplier owned;
  private final Object lock;
  private final Runnable lost;
  private final AtomicBoolean reported = new AtomicBoolean();
  private volatile boolean closed;

  FencedStore(MemoryStore store, BooleanSupplier owned, Object lock, Runnable lost) {
    super(store);
    this.owned = owned;
    this.lock = lock;
    this.lost = lost;
  }

  /** Fails unless the cell is owned. */
  void check() {
    synchronized (lock) {
      if (closed) {
        throw new StoreException(Reason.CLOSED, "the store is closed");
      }
      if (!owned.getAsBoolean()) {
        if (reported.compareAndSet(false, true)) {
          lost.run();
        }
        throw new StoreException(Reason.FENCED, "another server has claimed the cell");
      }
    }
  }

  private <T> T fenced(Supplier<T> change) {
    synchronized (lock) {
      check();
      return change.get();
    }
  }

  @Override
  public Shard own(int shard) {
    return fenced(() -> new FencedShard(delegate().own(shard)));
  }

  @Override
  public void drop(int shard) {
    synchronized (lock) {
      check();
      delegate().drop(shard);
    }
  }

  @Override
  public Optional<CrossShard> together() {
    return delegate().together().map(Together::new);
  }

  @Override
  public void close() {
    closed = true;
  }

  private final class FencedShard extends ForwardingShard {
    FencedShard(Shard shard) {
      super(shard);
    }

    private Shard inner() {
      return delegate();
    }

    @Override
    public long commit(Batch batch) {
      return fenced(() -> delegate().commit(batch));
    }

    @Override
    public OptionalLong tryCommit(Batch batch) {
      return fenced(() -> delegate().tryCommit(batch));
    }
  }

  private final class Together implements CrossShard {
    private final CrossShard together;

    Together(CrossShard together) {
      this.together = together;
    }

    @Override
    public long commit(List<ShardBatch> batches) {
      List<ShardBatch> inner =
          batches.stream()
              .map(
                  each ->
                      each.shard() instanceof FencedShard shard
                          ? new ShardBatch(shard.inner(), each.batch())
                          : each)
              .toList();
      return fenced(() -> together.commit(inner));
    }

    @Override
    public StoreSnapshot snapshot() {
      return together.snapshot();
    }
  }
}
