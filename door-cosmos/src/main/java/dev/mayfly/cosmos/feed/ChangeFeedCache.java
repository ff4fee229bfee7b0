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
  private static final int MAX_PAGES = 4;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Long, ChangeFeedPage> byCollection =
      new LinkedHashMap<>(MAX_PAGES, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, ChangeFeedPage> eldest) {
          return size() > MAX_PAGES;
        }
      };

  /** Returns a page that begins at or before a position and ends after it. */
  ChangeFeedPage at(Collection collection, long position, long end) {
    lock.lock();
    try {
      ChangeFeedPage page = byCollection.get(collection.id());
      if (page == null || page.from() > position || page.to() <= position) {
        page = ChangeFeedPage.of(collection, position, end);
        byCollection.put(collection.id(), page);
      }
      return page;
    } finally {
      lock.unlock();
    }
  }
}
