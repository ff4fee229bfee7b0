package dev.mayfly;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.SortLimits;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.Clock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Store;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreStats;
import dev.mayfly.store.rocksdb.RocksStore;
import java.nio.file.Path;

/**
 * Mayfly inside a Java program: an engine and the store it stands on, opened and closed together.
 *
 * <p>Safe for many threads. An instance in a directory has the directory for itself until it is
 * closed.
 */
public final class Mayfly implements AutoCloseable {
  /** The version of all of Mayfly. */
  public static final String VERSION = "0.1.0";

  private final Store store;
  private final Engine engine;

  private Mayfly(Store store, Engine engine) {
    this.store = store;
    this.engine = engine;
  }

  /** Opens a directory with the standard settings; see {@link #open(Path, MayflySettings)}. */
  public static Mayfly open(Path directory) {
    return open(directory, MayflySettings.standard());
  }

  /**
   * Opens a directory and all that is in it, on the real clock. A directory that does not exist is
   * made.
   *
   * @throws StoreException IN_USE when it is open already, here or in another process; NEWER_FORMAT
   *     when a newer version wrote its files; CORRUPT when they make no sense
   * @throws EngineException UNREADABLE when a newer version wrote what is in them
   */
  public static Mayfly open(Path directory, MayflySettings settings) {
    return open(directory, System::currentTimeMillis, settings);
  }

  /** As {@link #open(Path, MayflySettings)}, on a clock of the caller's. */
  public static Mayfly open(Path directory, Clock clock, MayflySettings settings) {
    EngineSettings engine =
        settings.engine().withSorting(SortLimits.STANDARD.spillingTo(directory.resolve("sorting")));
    return on(RocksStore.open(directory, settings.store()), clock, engine);
  }

  /**
   * Opens a view of a directory, on a clock of the caller's: the directory is not changed by
   * anything that is done here, and what is written is gone when the view is closed.
   *
   * @throws StoreException as {@link #open(Path, MayflySettings)}; IO when there is no data in the
   *     directory
   */
  public static Mayfly view(Path directory, Clock clock, MayflySettings settings) {
    return on(RocksStore.view(directory, settings.store()), clock, settings.engine());
  }

  /** An instance that is gone when it is closed, on the real clock. */
  public static Mayfly inMemory() {
    return inMemory(System::currentTimeMillis);
  }

  /**
   * An instance that is gone when it is closed, on a clock of the caller's. Whoever moves the clock
   * says so by {@link Engine#clockMoved}.
   */
  public static Mayfly inMemory(Clock clock) {
    return inMemory(clock, MayflySettings.standard());
  }

  /** As {@link #inMemory(Clock)}, with settings. */
  public static Mayfly inMemory(Clock clock, MayflySettings settings) {
    return on(new MemoryStore(), clock, settings.engine());
  }

  /** Takes over the store: it is closed when the engine cannot be opened. */
  private static Mayfly on(Store store, Clock clock, EngineSettings settings) {
    try {
      return new Mayfly(store, LocalEngine.open(store, clock, settings));
    } catch (RuntimeException failure) {
      store.close();
      throw failure;
    }
  }

  /** Everything that can be done with collections and their documents. */
  public Engine engine() {
    return engine;
  }

  /** Creates a collection. */
  public Collection create(String database, String collection, CollectionSpec spec) {
    return engine.create(new Namespace(database, collection), spec);
  }

  /** The collection of that name. */
  public Collection collection(String database, String collection) {
    return engine.collection(new Namespace(database, collection));
  }

  /**
   * Copies everything as it is now to a directory, which must not exist yet. It can be opened as
   * any other; reads and writes here go on meanwhile.
   *
   * @throws EngineException NOT_SUPPORTED for an instance in memory
   * @throws StoreException IO when the directory exists or cannot be written
   */
  public void backup(Path directory) {
    if (!(store instanceof RocksStore files)) {
      throw new EngineException(
          EngineException.Reason.NOT_SUPPORTED, "what is in memory cannot be backed up");
    }
    files.copyTo(directory);
  }

  /** Whether it can be written to; else there is no room, and only reads and deletes go on. */
  public boolean writable() {
    // has the store look at the disk
    store.stats();
    return store.hasRoom();
  }

  /** What the store weighs now. */
  public StoreStats stats() {
    return store.stats();
  }

  /** Stops the background work, then lets go of the store. Closing again does nothing. */
  @Override
  public void close() {
    try {
      engine.close();
    } finally {
      store.close();
    }
  }
}
