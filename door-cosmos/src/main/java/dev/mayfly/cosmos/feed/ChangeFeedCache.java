package dev.mayfly.cosmos.feed;

import dev.mayfly.engine.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Cache of the last few {@link ChangeFeedPage}s, by collection. One thread computes a missing page
 * while others wait. Safe for many threads.
 */
final class ChangeFeedCache {
  private static final int MOST = 4;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Long, ChangeFeedPage> byCollection =
      new LinkedHashMap<>(MOST, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, ChangeFeedPage> eldest) {
          return size() > MOST;
        }
      };

  /** Returns a page that begins at or before a position and ends after it. */
  ChangeFeedPage at(Collection collection, long position, long end) {
    lock.lock();
    try {
      ChangeFeedPage known = byCollection.get(collection.id());
      if (known == null || known.from() > position || known.to() <= position) {
        known = ChangeFeedPage.of(collection, position, end);
        byCollection.put(collection.id(), known);
      }
      return known;
    } finally {
      lock.unlock();
    }
  }
}
