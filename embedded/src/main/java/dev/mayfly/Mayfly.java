package dev.mayfly;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.Clock;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Store;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreStats;
import dev.mayfly.store.rocksdb.RocksStore;
import java.nio.file.Path;

/**
 * Embedded Mayfly: an engine and its store, opened and closed together.
 *
 * <p>Safe for many threads. An instance locks its directory until it is closed.
 *
 * <pre>{@code
 * try (Mayfly mayfly = Mayfly.open(Path.of("data"))) {
 *   Collection sessions = mayfly.create("web", "sessions", CollectionSpec.mongo());
 *   sessions.insert(Document.writer().put("_id", 1).build());
 * }
 * }</pre>
 */
public final class Mayfly implements AutoCloseable {
  /** Version of Mayfly. */
  public static final String VERSION = "0.1.0";

  private final Store store;
  private final Engine engine;

  private Mayfly(Store store, Engine engine) {
    this.store = store;
    this.engine = engine;
  }

  /** Opens a directory with default settings; see {@link #open(Path, MayflySettings)}. */
  public static Mayfly open(Path directory) {
    return open(directory, MayflySettings.standard());
  }

  /**
   * Opens a directory, with the system clock. Creates it if it does not exist.
   *
   * @throws StoreException IN_USE when it is already open, here or in another process; NEWER_FORMAT
   *     when a newer version wrote its files; CORRUPT when they are damaged
   * @throws EngineException UNREADABLE when a newer version wrote the data in them
   */
  public static Mayfly open(Path directory, MayflySettings settings) {
    return open(directory, System::currentTimeMillis, settings);
  }

  /** Like {@link #open(Path, MayflySettings)}, with the given clock. */
  public static Mayfly open(Path directory, Clock clock, MayflySettings settings) {
    EngineSettings engine = settings.engine(directory.resolve("sorting"));
    return on(RocksStore.open(directory, settings.store()), clock, engine);
  }

  /**
   * Opens a view of a directory, with the given clock. The directory is never changed; writes are
   * lost when the view is closed.
   *
   * @throws StoreException like {@link #open(Path, MayflySettings)}; IO when the directory contains
   *     no data
   */
  public static Mayfly view(Path directory, Clock clock, MayflySettings settings) {
    return on(RocksStore.view(directory, settings.store()), clock, settings.engine());
  }

  /** Opens an instance in memory, with the system clock. Its data is lost when it is closed. */
  public static Mayfly inMemory() {
    return inMemory(System::currentTimeMillis);
  }

  /**
   * Opens an instance in memory, with the given clock. Call {@link Engine#clockMoved} after moving
   * the clock.
   */
  public static Mayfly inMemory(Clock clock) {
    return inMemory(clock, MayflySettings.standard());
  }

  /**
   * Returns a clock for tests, which goes on with the system clock and can be moved forward. A
   * {@code new ManualClock(epochMillis)} stops between its moves.
   */
  public static ManualClock offsetClock() {
    return ManualClock.offset(System::currentTimeMillis);
  }

  /** Like {@link #inMemory(Clock)}, with settings. */
  public static Mayfly inMemory(Clock clock, MayflySettings settings) {
    return on(new MemoryStore(), clock, settings.engine());
  }

  /** Takes ownership of the store: closes it if the engine cannot be opened. */
  private static Mayfly on(Store store, Clock clock, EngineSettings settings) {
    try {
      return new Mayfly(store, LocalEngine.open(store, clock, settings));
    } catch (RuntimeException failure) {
      store.close();
      throw failure;
    }
  }

  /** The engine: collections, transactions, feeds. */
  public Engine engine() {
    return engine;
  }

  /** Creates a collection. */
  public Collection create(String database, String collection, CollectionSpec spec) {
    return engine.create(new Namespace(database, collection), spec);
  }

  /** Returns the collection of a name. */
  public Collection collection(String database, String collection) {
    return engine.collection(new Namespace(database, collection));
  }

  /**
   * Copies the current data to a directory, which must not exist. Reads and writes continue
   * meanwhile. The copy can be opened like any other directory.
   *
   * @throws EngineException NOT_SUPPORTED for an instance in memory
   * @throws StoreException IO when the directory exists or cannot be written
   */
  public void backup(Path directory) {
    if (!(store instanceof RocksStore files)) {
      throw new EngineException(
          EngineException.Reason.NOT_SUPPORTED,
          "backup is supported for an instance in a directory only");
    }
    files.copyTo(directory);
  }

  /** Whether writes are accepted. When the disk is full, only reads and deletes are. */
  public boolean writable() {
    // makes the store check the disk
    store.stats();
    return store.hasRoom();
  }

  /** Current statistics of the store. */
  public StoreStats stats() {
    return store.stats();
  }

  /** Stops the background work, then closes the store. Idempotent. */
  @Override
  public void close() {
    try {
      engine.close();
    } finally {
      store.close();
    }
  }
}
