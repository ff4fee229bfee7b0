package dev.mayfly.store;

import java.util.List;

/**
 * What a store can do with several of its shards at one go. Safe for use by many threads; fails as
 * the {@link Store} does.
 */
public interface CrossShard {
  /**
   * Applies a batch to each of several shards, all of them or none, whatever happens to the process
   * or the power. Otherwise as {@link Shard#commit}; no snapshot of the store sees a part of it.
   * What was committed to these shards before it survives if it does.
   *
   * @param batches for different shards of this store
   * @return a ticket that {@link Shard#sync} of each of the shards takes
   * @throws StoreException {@code FENCED} when one of the handles is no longer the owner: nothing
   *     was written to any shard
   */
  long commit(List<ShardBatch> batches);

  /** A view of all shards at one instant, consistent as {@link Snapshot#consistent} says. */
  StoreSnapshot snapshot();
}
