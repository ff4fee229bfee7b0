package dev.mayfly.store.rocksdb;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Open scans and snapshots, which must be closed before their database. */
final class OpenHandles {
  private final Map<Object, Runnable> things = new ConcurrentHashMap<>();

  void add(Object thing, Runnable close) {
    things.put(thing, close);
  }

  void remove(Object thing) {
    things.remove(thing);
  }

  /** Closes all handles, also those opened meanwhile: open snapshots can open scans. */
  void closeAll() {
    while (!things.isEmpty()) {
      things.values().forEach(Runnable::run);
    }
  }
}
