package dev.mayfly.engine.model;

import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Store;
import dev.mayfly.store.cassandra.CassandraStores;
import dev.mayfly.store.cassandra.TestCluster;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Kinds of stores, which must give the same results. */
enum ModelStores {
  MEMORY_WITH_FILTERS(true),
  MEMORY(true),
  MEMORY_WITHOUT_SNAPSHOTS(true),
  MEMORY_WITH_FILTERS_UNUSED(false),
  MEMORY_WITH_LEAPS(true),
  FAULTY_DISK_WITH_FILTERS(true),
  FAULTY_DISK(true),
  ROCKS(true),
  ROCKS_WITH_DELETES(false),
  CASSANDRA(true);

  /** The cells of directories. */
  private static final Map<Path, Integer> CELLS = new ConcurrentHashMap<>();

  private final boolean dropInCompaction;

  ModelStores(boolean dropInCompaction) {
    this.dropInCompaction = dropInCompaction;
  }

  /** Returns whether the compaction filter is used. */
  boolean dropInCompaction() {
    return dropInCompaction;
  }

  /** Returns whether the store has consistent snapshots. */
  boolean snapshots() {
    return this != MEMORY_WITHOUT_SNAPSHOTS;
  }

  boolean onDisk() {
    return this == ROCKS || this == ROCKS_WITH_DELETES || this == CASSANDRA;
  }

  /** Returns whether power failures and failing calls are simulated. */
  boolean faulty() {
    return this == FAULTY_DISK_WITH_FILTERS || this == FAULTY_DISK;
  }

  /** Returns whether clock leaps are simulated. */
  boolean leaps() {
    return this == MEMORY_WITH_LEAPS;
  }

  /** Opens a new store, or an existing one on disk. */
  Store open(Path directory) {
    return switch (this) {
      case MEMORY_WITH_FILTERS,
          MEMORY_WITH_FILTERS_UNUSED,
          MEMORY_WITH_LEAPS,
          FAULTY_DISK_WITH_FILTERS ->
          MemoryStore.withFilters();
      case MEMORY, FAULTY_DISK -> new MemoryStore();
      case MEMORY_WITHOUT_SNAPSHOTS -> MemoryStore.withoutSnapshots();
      case ROCKS, ROCKS_WITH_DELETES ->
          RocksStore.open(directory, RocksSettings.defaults().withCacheBytes(8 << 20));
      case CASSANDRA ->
          Cluster.STORES.claim(CELLS.computeIfAbsent(directory, _ -> TestCluster.newCell()));
    };
  }

  /** Skips the test where there is no store of this kind. */
  void assumeAvailable() {
    if (this == CASSANDRA) {
      TestCluster.assumeAvailable();
    }
  }

  /** The connection to the node, which is started when it is used first. */
  private static final class Cluster {
    static final CassandraStores STORES = TestCluster.open(TestCluster.tiny());
  }
}
