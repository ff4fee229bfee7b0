package dev.mayfly.server;

import dev.mayfly.Mayfly;
import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.SharedCells;
import java.util.Optional;

/** The data of a server: an instance of its own, or cells that it shares with other servers. */
sealed interface ServedData extends AutoCloseable {
  Cells cells();

  /** Whether writes are accepted. */
  boolean writable();

  /** Returns the bytes of its files; 0 if it has none. */
  long bytesOnDisk();

  /** Returns why it serves nothing; empty if it does. */
  Optional<String> notServing();

  /** Hands cells over, and closes stores. Idempotent. */
  @Override
  void close();

  /** An instance that no other server uses. */
  record Own(Mayfly mayfly, Cells cells) implements ServedData {
    Own(Mayfly mayfly) {
      this(mayfly, Cells.single(mayfly.engine()));
    }

    @Override
    public boolean writable() {
      return mayfly.writable();
    }

    @Override
    public long bytesOnDisk() {
      return mayfly.stats().bytesOnDisk();
    }

    @Override
    public Optional<String> notServing() {
      return Optional.empty();
    }

    @Override
    public void close() {
      mayfly.close();
    }
  }

  /** Cells of a cluster. */
  record Shared(SharedCells cells, SharedStore.Opened store) implements ServedData {
    @Override
    public boolean writable() {
      return true;
    }

    @Override
    public long bytesOnDisk() {
      return 0;
    }

    @Override
    public Optional<String> notServing() {
      return cells.notReady();
    }

    @Override
    public void close() {
      try {
        cells.close();
      } finally {
        store.close();
      }
    }
  }
}
