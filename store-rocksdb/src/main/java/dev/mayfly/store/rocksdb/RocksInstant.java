package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Snapshot;
import dev.mayfly.store.StoreSnapshot;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;

/** The whole database as it was when a snapshot was taken. */
final class RocksInstant implements StoreSnapshot {
  private final Gate gate = new Gate("the snapshot");
  private final Columns columns;
  private final RocksDB database;
  private final org.rocksdb.Snapshot snapshot;
  private final ReadOptions options;
  private final Lent lent;

  RocksInstant(Columns columns, Lent lent) {
    this.columns = columns;
    this.database = columns.database();
    this.snapshot = database.getSnapshot();
    this.options = new ReadOptions().setSnapshot(snapshot);
    this.lent = lent;
    lent.add(this, this::close);
  }

  @Override
  public Snapshot of(int shard) {
    return new RocksSnapshot(new ShardReads(new Prefix(shard), columns, lent), this, false);
  }

  /** Before all that is read of this instant. */
  Gate gate() {
    return gate;
  }

  /** Options to read as of this instant. */
  ReadOptions options() {
    return options;
  }

  org.rocksdb.Snapshot snapshot() {
    return snapshot;
  }

  @Override
  public void close() {
    gate.close(
        () -> {
          options.close();
          database.releaseSnapshot(snapshot);
          snapshot.close();
          lent.remove(this);
        });
  }
}
