package dev.mayfly.engine;

import dev.mayfly.engine.CollectionSpec.FeedSpec;
import dev.mayfly.store.Batch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The feeds of dropped collections, for those who have not read them to their end. They are kept as
 * long as those of others, and not more than one might be.
 */
final class DroppedFeeds {
  private static final int MOST = 1000;
  private static final Comparator<Remains> LATEST_FIRST =
      Comparator.comparingLong(Remains::droppedAt)
          .thenComparingLong(left -> left.collection().id())
          .reversed();

  private final Catalog catalog;
  private final Graveyard graveyard;

  /** By the number of the collection, which is the order of their creation. */
  private final Map<Long, Remains> remains = new ConcurrentSkipListMap<>();

  /** Those that have nothing but their feeds left. */
  private final Set<Remains> stripped = ConcurrentHashMap.newKeySet();

  DroppedFeeds(Catalog catalog, Graveyard graveyard) {
    this.catalog = catalog;
    this.graveyard = graveyard;
  }

  void keep(Remains left) {
    remains.put(left.collection().id(), left);
  }

  List<Collection> collections() {
    return remains.values().stream().map(Remains::collection).toList();
  }

  /**
   * Forgets those that are past their time or too many; returns those of the others that have more
   * left than their feeds.
   */
  List<Remains> forget(long now) {
    long bytes = 0;
    int count = 0;
    List<Remains> whole = new ArrayList<>();
    for (Remains left : remains.values().stream().sorted(LATEST_FIRST).toList()) {
      bytes += left.bytes();
      count++;
      if (left.past(now) || bytes > FeedSpec.DEFAULT.maxBytes() || count > MOST) {
        Batch batch = new Batch();
        catalog.forget(batch, left.collection().state());
        catalog.commit(batch);
        remains.remove(left.collection().id());
        stripped.remove(left);
      } else if (!stripped.contains(left)) {
        whole.add(left);
      }
    }
    return whole;
  }

  /** Removes all but the feeds of a dropped collection. */
  void strip(Remains left) {
    left.strip();
    left.collection().owners().forEach(owner -> graveyard.forget(owner.shard().number()));
    stripped.add(left);
  }
}
