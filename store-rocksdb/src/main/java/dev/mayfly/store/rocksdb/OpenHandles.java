package dev.mayfly.store.rocksdb;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The scans and snapshots that users hold, which must be closed before their database is. */
final class OpenHandles {
  private final Map<Object, Runnable> things = new ConcurrentHashMap<>();

  void add(Object thing, Runnable close) {
    things.put(thing, close);
  }

  void remove(Object thing) {
    things.remove(thing);
  }

  /**
   * Closes all, and what was lent of them meanwhile: of a snapshot that is open there are scans.
   */
  void closeAll() {
    while (!things.isEmpty()) {
      things.values().forEach(Runnable::run);
    }
  }
}
