package dev.mayfly.store.rocksdb;

import dev.mayfly.store.RecordCache;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.StoreSnapshot;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;

/** Snapshot of the whole database. */
final class RocksStoreSnapshot implements StoreSnapshot {
  private final CloseGuard closeGuard = new CloseGuard("the snapshot");
  private final Columns columns;
  private final RocksDB database;
  private final org.rocksdb.Snapshot snapshot;
  private final ReadOptions options;
  private final OpenHandles openHandles;

  /**
   * @param tier what its reads and scans may wait for
   */
  RocksStoreSnapshot(Columns columns, OpenHandles openHandles, ReadTier tier) {
    this.columns = columns;
    this.database = columns.database();
    this.snapshot = database.getSnapshot();
    this.options = new ReadOptions().setSnapshot(snapshot).setReadTier(tier);
    this.openHandles = openHandles;
    openHandles.add(this, this::close);
  }

  @Override
  public Snapshot of(int shard) {
    return new RocksSnapshot(new ShardReads(new Prefix(shard), columns, openHandles), this);
  }

  /** Guards all reads of this snapshot. */
  CloseGuard closeGuard() {
    return closeGuard;
  }

  /** Returns options to read from this snapshot. */
  ReadOptions options() {
    return options;
  }

  /**
   * Returns the view of a shard for its cached records.
   *
   * @param generation of the shard, read before this snapshot was taken
   */
  RecordCache.View view(RecordCache.Region region, int generation) {
    return new RecordCache.View(region, generation, snapshot.getSequenceNumber());
  }

  @Override
  public void close() {
    closeGuard.close(
        () -> {
          options.close();
          database.releaseSnapshot(snapshot);
          snapshot.close();
          openHandles.remove(this);
        });
  }
}
