package dev.mayfly.store;

import java.util.List;

/**
 * Atomic commits and snapshots across several shards of a store. Safe for use by many threads;
 * fails as the {@link Store} does.
 *
 * <pre>{@code
 * CrossShard together = store.together().orElseThrow();
 * Batch debit = new Batch().put(Space.RECORDS, from, less);
 * Batch credit = new Batch().put(Space.RECORDS, to, more);
 * together.commit(List.of(new ShardBatch(one, debit), new ShardBatch(two, credit)));
 * try (StoreSnapshot all = together.snapshot()) {
 *   all.of(1).read(Space.RECORDS, from); // less, and shard 2 has more: both or neither
 * }
 * }</pre>
 */
public interface CrossShard {
  /**
   * Applies a batch to each of several shards, all of them or none, even after a crash or loss of
   * power. Otherwise like {@link Shard#commit}; no snapshot of the store sees a part of it. Earlier
   * commits to these shards survive if this one does.
   *
   * @param batches for different shards of this store
   * @return a ticket that {@link Shard#sync} of each of the shards accepts
   * @throws StoreException {@code FENCED} if one of the handles is no longer the owner: nothing was
   *     written to any shard
   */
  long commit(List<ShardBatch> batches);

  /**
   * Returns a view of all shards at one instant, consistent as {@link Snapshot#consistent} defines.
   */
  StoreSnapshot snapshot();
}
