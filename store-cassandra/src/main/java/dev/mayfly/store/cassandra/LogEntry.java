package dev.mayfly.store.cassandra;

import dev.mayfly.store.Batch;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Entry of a cell's log: the batches of one group commit.
 *
 * <p>Several owners may have written bodies with the same number. An entry names the epoch of its
 * predecessor, so the chain of committed entries can be followed back from the row of the cell.
 *
 * @param number from 1, without gaps
 * @param epoch of the cell's owner that wrote it
 * @param previousEpoch of the entry before it
 * @param stamp Cassandra's timestamps of what it writes, see {@link Memtable}
 * @param own changes of the store's own keys, {@code null} value for a delete
 */
record LogEntry(
    long number,
    long epoch,
    long previousEpoch,
    long stamp,
    List<ShardChange> shards,
    List<OwnChange> own) {
  private static final byte FORMAT = 1;
  private static final int HEADER = 1 + 4 * Long.BYTES + 2 * Integer.BYTES;

  /** A batch of a shard. */
  record ShardChange(int shard, Batch batch) {}

  /** A put or delete of a key of the store itself. */
  @SuppressWarnings("ArrayRecordComponent") // nobody changes or compares them
  record OwnChange(byte[] key, byte[] value, boolean delete) {
    static OwnChange put(byte[] key, byte[] value) {
      return new OwnChange(key, value, false);
    }

    static OwnChange delete(byte[] key) {
      return new OwnChange(key, new byte[0], true);
    }
  }

  byte[] encode() {
    int size = HEADER;
    for (ShardChange change : shards) {
      size += 2 * Integer.BYTES + Math.toIntExact(change.batch.bytes());
    }
    for (OwnChange change : own) {
      size += 1 + 2 * Integer.BYTES + change.key.length + change.value.length;
    }
    ByteBuffer body = ByteBuffer.allocate(size);
    body.put(FORMAT).putLong(number).putLong(epoch).putLong(previousEpoch).putLong(stamp);
    body.putInt(shards.size()).putInt(own.size());
    for (ShardChange change : shards) {
      body.putInt(change.shard).putInt(Math.toIntExact(change.batch.bytes()));
      change.batch.copyTo(body);
    }
    for (OwnChange change : own) {
      body.put((byte) (change.delete ? 1 : 0)).putInt(change.key.length).put(change.key);
      body.putInt(change.value.length).put(change.value);
    }
    return body.array();
  }

  static LogEntry decode(byte[] bytes) {
    try {
      ByteBuffer body = ByteBuffer.wrap(bytes);
      byte format = body.get();
      if (format > FORMAT) {
        throw new StoreException(Reason.NEWER_FORMAT, "log entry of format " + format);
      }
      long number = body.getLong();
      long epoch = body.getLong();
      long previousEpoch = body.getLong();
      long stamp = body.getLong();
      int shardCount = body.getInt();
      int ownCount = body.getInt();
      List<ShardChange> shards = new ArrayList<>(shardCount);
      for (int i = 0; i < shardCount; i++) {
        shards.add(new ShardChange(body.getInt(), Batch.of(array(body))));
      }
      List<OwnChange> own = new ArrayList<>(ownCount);
      for (int i = 0; i < ownCount; i++) {
        boolean delete = body.get() == 1;
        own.add(new OwnChange(array(body), array(body), delete));
      }
      return new LogEntry(number, epoch, previousEpoch, stamp, shards, own);
    } catch (java.nio.BufferUnderflowException | IllegalArgumentException damaged) {
      throw new StoreException(Reason.CORRUPT, "a log entry is damaged", damaged);
    }
  }

  private static byte[] array(ByteBuffer body) {
    int length = body.getInt();
    if (length < 0 || length > body.remaining()) {
      throw new IllegalArgumentException("length " + length);
    }
    byte[] bytes = new byte[length];
    body.get(bytes);
    return bytes;
  }

  /** Returns a memtable with the changes of this entry. */
  Memtable applyTo(Memtable before) {
    Memtable after = before;
    for (ShardChange change : shards) {
      after = after.apply(change.shard, change.batch, stamp);
    }
    for (OwnChange change : own) {
      after =
          change.delete
              ? after.delete(change.key, stamp)
              : after.put(change.key, change.value, stamp);
    }
    return after;
  }
}
