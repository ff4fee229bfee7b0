package dev.mayfly.store;

import java.lang.foreign.MemorySegment;

/**
 * Decides, while a store compacts, whether an entry is dead and may be dropped without a delete.
 *
 * <p>It is asked about entries of {@linkplain Space#filtered filtered} spaces only, from threads of
 * the store, at any moment, and about any entry any number of times. It must be fast, thread-safe
 * and never throw (a store keeps the entry when it does), and once it has called an entry dead it
 * must not call it alive again: the entry may vanish from then on at any moment, from open
 * snapshots and scans too, or stay until the next {@link Store#reclaim}. A later put of the same
 * key is a new entry and is judged by its own value.
 */
@FunctionalInterface
public interface CompactionFilter {
  /**
   * True when the entry is dead.
   *
   * @param value the entry's value; readable during the call only
   */
  boolean drop(int shard, Space space, MemorySegment value);
}
