package dev.mayfly.engine.local;

import dev.mayfly.engine.CollectionSpec.FeedSpec;
import dev.mayfly.engine.catalog.Catalog;
import dev.mayfly.engine.shard.ExpiredEntryFilter;
import dev.mayfly.store.Batch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Dropped collections whose feeds are kept for change streams. Each is kept for the retention of
 * its feed; all together may have the size of one feed. Safe for many threads.
 */
final class DroppedCollections {
  private static final int MAX_COUNT = 1000;
  private static final Comparator<DroppedCollection> LATEST_FIRST =
      Comparator.comparingLong(DroppedCollection::droppedAt)
          .thenComparingLong(left -> left.collection().id())
          .reversed();

  private final Catalog catalog;
  private final ExpiredEntryFilter expiredEntryFilter;

  /** By collection id, which is the order of creation. */
  private final Map<Long, DroppedCollection> remains = new ConcurrentSkipListMap<>();

  /** Dropped collections of which only the feeds are left. */
  private final Set<DroppedCollection> stripped = ConcurrentHashMap.newKeySet();

  DroppedCollections(Catalog catalog, ExpiredEntryFilter expiredEntryFilter) {
    this.catalog = catalog;
    this.expiredEntryFilter = expiredEntryFilter;
  }

  void keep(DroppedCollection left) {
    remains.put(left.collection().id(), left);
  }

  List<LocalCollection> collections() {
    return remains.values().stream().map(DroppedCollection::collection).toList();
  }

  /**
   * Removes collections that are past their retention, and the oldest ones beyond the limits.
   * Returns the others for which {@link #strip} was not called yet.
   */
  List<DroppedCollection> removeOld(long now) {
    long bytes = 0;
    int count = 0;
    List<DroppedCollection> whole = new ArrayList<>();
    List<DroppedCollection> old = new ArrayList<>();
    Batch batch = new Batch();
    for (DroppedCollection left : remains.values().stream().sorted(LATEST_FIRST).toList()) {
      bytes += left.bytes();
      count++;
      if (left.past(now) || bytes > FeedSpec.DEFAULT.maxBytes() || count > MAX_COUNT) {
        catalog.forget(batch, left.collection().state());
        old.add(left);
      } else if (!stripped.contains(left)) {
        whole.add(left);
      }
    }
    if (!old.isEmpty()) {
      // one flush to disk for all of them: meanwhile no collection can be created
      catalog.commit(batch);
      old.forEach(left -> remains.remove(left.collection().id()));
      old.forEach(stripped::remove);
    }
    return whole;
  }

  /** Removes all but the feeds of a dropped collection. */
  void strip(DroppedCollection left) {
    left.strip();
    left.collection().owners().forEach(owner -> expiredEntryFilter.forget(owner.shard().number()));
    stripped.add(left);
  }
}
