package dev.mayfly.store.rocksdb;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The scans and snapshots that users hold, which must be closed before their database is. */
final class Lent {
  private final Map<Object, Runnable> things = new ConcurrentHashMap<>();

  void add(Object thing, Runnable close) {
    things.put(thing, close);
  }

  void remove(Object thing) {
    things.remove(thing);
  }

  void closeAll() {
    things.values().forEach(Runnable::run);
  }
}
