package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;

/** A shard as it was when the snapshot was taken. */
final class RocksSnapshot implements Snapshot {
  private final Gate gate = new Gate("the snapshot");
  private final ShardReads reads;
  private final RocksDB database;
  private final org.rocksdb.Snapshot instant;
  private final ReadOptions options;
  private final Lent lent;

  RocksSnapshot(ShardReads reads, RocksDB database, Lent lent) {
    this.reads = reads;
    this.database = database;
    this.instant = database.getSnapshot();
    this.options = new ReadOptions().setSnapshot(instant);
    this.lent = lent;
    lent.add(this, this::close);
  }

  @Override
  public boolean consistent() {
    return true;
  }

  @Override
  public byte @Nullable [] read(Space space, byte[] key) {
    long stamp = gate.enter();
    try {
      return reads.read(space, key, options);
    } finally {
      gate.exit(stamp);
    }
  }

  @Override
  public List<byte @Nullable []> readAll(Space space, List<byte[]> keys) {
    long stamp = gate.enter();
    try {
      return reads.readAll(space, keys, options);
    } finally {
      gate.exit(stamp);
    }
  }

  @Override
  public Scan scan(Space space, Range range, Direction direction) {
    long stamp = gate.enter();
    try {
      return reads.scan(space, range, direction, instant);
    } finally {
      gate.exit(stamp);
    }
  }

  @Override
  public void close() {
    if (gate.close()) {
      options.close();
      database.releaseSnapshot(instant);
      instant.close();
      lent.remove(this);
    }
  }
}
