package dev.mayfly.store;

import java.util.OptionalLong;

/**
 * The handle of one owner on one shard. Safe for use by many threads. Reads are not fenced: they
 * see every commit that returned before, by whichever owner.
 */
public interface Shard extends Reader {
  int number();

  /** The epoch under which this handle commits. */
  long epoch();

  Snapshot snapshot();

  /**
   * Applies a batch, all of it or nothing; its operations count in the order they were added. It is
   * visible to every reader when this returns, and survives a crash of the process; {@link #sync}
   * makes it survive loss of power. Commits of one shard survive in their order: one is never lost
   * while a later one is kept. The batch may be reused afterwards.
   *
   * @return a ticket for {@link #sync}; later commits have higher ones
   * @throws StoreException {@code FENCED} when this handle is no longer the owner: nothing was
   *     written
   */
  long commit(Batch batch);

  /**
   * As {@link #commit}, for who must not wait until the store has room for it: empty when it had
   * to, and nothing was written.
   */
  default OptionalLong tryCommit(Batch batch) {
    return OptionalLong.of(commit(batch));
  }

  /**
   * Returns once the commit with this ticket, and all before it, survive loss of power. Callers at
   * the same time share the cost of one flush to disk.
   */
  void sync(long ticket);

  /**
   * The ticket of the last commit that is known to survive loss of power: {@link #sync} returns at
   * once for it and for all before it. Never waits, never goes back while the store is open; it
   * advances with any sync of this shard and may advance without one. 0 when nothing is known.
   *
   * <p>For what must not happen before something else is on disk: commit, keep the ticket, and act
   * once this has reached it.
   */
  long syncedThrough();

  /**
   * Makes reads that begin from now on find no entry that a compaction has dropped. Until then a
   * store may return one from a cache. To be called before the filter, and those who read, forget
   * why such entries are dead.
   */
  default void forgetDropped() {}

  /**
   * Removes all entries in a range, as a batch that deletes it does, and survives loss of power. A
   * store that can gives their space back at once, without looking at them one by one; else it
   * comes back as of other deletes. Snapshots taken before keep what they saw.
   *
   * @throws StoreException {@code FENCED} when this handle is no longer the owner: nothing was
   *     removed
   */
  default void erase(Space space, Range range) {
    sync(commit(new Batch().deleteRange(space, range)));
  }
}
