package dev.mayfly.store;

import java.lang.foreign.MemorySegment;

/**
 * Compaction filter: decides, while a store compacts, whether an entry is expired and may be
 * dropped without a delete.
 *
 * <p>Called for entries of {@linkplain Space#filtered filtered} spaces only, from threads of the
 * store, at any time, and any number of times per entry. It must be fast and thread-safe, and must
 * not throw; if it does, the store keeps the entry. Once it has returned true for an entry, it must
 * never return false for it: from then on the entry may vanish at any time, also from open
 * snapshots and scans, or stay until the next {@link Store#reclaim}. A later put of the same key is
 * a new entry and is judged by its own value.
 *
 * <pre>{@code
 * store.install((shard, space, value) -> sequence(value) <= sweptThrough(shard));
 * store.reclaim(1, Space.RECORDS); // afterwards the swept records of shard 1 are gone
 * }</pre>
 */
@FunctionalInterface
public interface CompactionFilter {
  /**
   * Returns whether the entry may be dropped.
   *
   * @param value the entry's value; readable during the call only
   */
  boolean drop(int shard, Space space, MemorySegment value);
}
