package dev.mayfly.engine.model;

import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Store;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import java.nio.file.Path;

/** The kinds of stores that must give the same answers. */
enum ModelStores {
  MEMORY_WITH_FILTERS(true),
  MEMORY(true),
  MEMORY_WITHOUT_SNAPSHOTS(true),
  MEMORY_WITH_FILTERS_UNUSED(false),
  MEMORY_WITH_LEAPS(true),
  FAULTY_DISK_WITH_FILTERS(true),
  FAULTY_DISK(true),
  ROCKS(true),
  ROCKS_WITH_DELETES(false);

  private final boolean dropInCompaction;

  ModelStores(boolean dropInCompaction) {
    this.dropInCompaction = dropInCompaction;
  }

  /** Whether dead entries are left to the store where it can drop them. */
  boolean dropInCompaction() {
    return dropInCompaction;
  }

  /** Whether a cursor sees one state of a shard however long it is open. */
  boolean snapshots() {
    return this != MEMORY_WITHOUT_SNAPSHOTS;
  }

  boolean onDisk() {
    return this == ROCKS || this == ROCKS_WITH_DELETES;
  }

  /** Whether power is lost and calls fail. */
  boolean faulty() {
    return this == FAULTY_DISK_WITH_FILTERS || this == FAULTY_DISK;
  }

  /** Whether the wall clock leaps. */
  boolean leaps() {
    return this == MEMORY_WITH_LEAPS;
  }

  /** Opens a new store, or for one on disk what the directory holds. */
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
    };
  }
}
