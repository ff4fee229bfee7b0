package dev.mayfly.store.rocksdb;

import java.util.ArrayDeque;
import java.util.Deque;
import org.rocksdb.AbstractNativeReference;

/** Native objects that live as long as a store, freed in reverse order of their creation. */
final class NativeResources implements AutoCloseable {
  private final Deque<Runnable> owned = new ArrayDeque<>();

  <T extends AbstractNativeReference> T keep(T reference) {
    owned.push(reference::close);
    return reference;
  }

  /** Adds an action for the time when all objects kept after it have been freed. */
  void onClose(Runnable action) {
    owned.push(action);
  }

  @Override
  public void close() {
    while (!owned.isEmpty()) {
      owned.pop().run();
    }
  }
}
