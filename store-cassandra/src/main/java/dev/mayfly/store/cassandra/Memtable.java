package dev.mayfly.store.cassandra;

import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Space;
import dev.mayfly.store.Treap;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memtable of a cell: what was committed and is not in leaves yet. Immutable: every change returns
 * a new one that shares almost all of the old one, so a snapshot is a reference.
 *
 * <p>An entry is a put or a delete of a key, with the stamp of its log entry. Leaves are read only
 * for keys that the memtable does not know. In Cassandra a put gets the timestamp stamp + 1 and a
 * delete the stamp itself: of two writes with the same timestamp Cassandra keeps the delete, and a
 * put after a range delete in one batch must survive it.
 */
final class Memtable {
  static final Memtable EMPTY = new Memtable(Treap.EMPTY, RangeDeletes.NONE);

  /** Bytes before the value of a stored entry: its kind and its stamp. */
  private static final int HEADER = 1 + Long.BYTES;

  private static final byte PUT = 1;
  private static final byte DELETE = 2;

  private final Treap entries;
  private final RangeDeletes deleted;

  private Memtable(Treap entries, RangeDeletes deleted) {
    this.entries = entries;
    this.deleted = deleted;
  }

  /** A put or delete of a key. */
  record Entry(Treap.Node node) {
    byte[] key() {
      return node.key();
    }

    boolean isDelete() {
      return node.value()[0] == DELETE;
    }

    long stamp() {
      return stampOf(node.value());
    }

    byte[] value() {
      return Arrays.copyOfRange(node.value(), HEADER, node.value().length);
    }

    int valueBytes() {
      return node.value().length - HEADER;
    }
  }

  private static long stampOf(byte[] value) {
    return ByteBuffer.wrap(value, 1, Long.BYTES).getLong();
  }

  @Nullable Entry find(byte[] key) {
    Treap.Node node = entries.find(key);
    return node == null ? null : new Entry(node);
  }

  /** Returns the next entry after a key in a direction, or at it if inclusive. */
  @Nullable Entry next(byte[] key, boolean inclusive, Direction direction) {
    Treap.Node node =
        switch (direction) {
          case UP -> entries.above(key, inclusive);
          case DOWN -> entries.below(key, inclusive);
        };
    return node == null ? null : new Entry(node);
  }

  RangeDeletes deleted() {
    return deleted;
  }

  boolean isEmpty() {
    return entries.isEmpty() && deleted.isEmpty();
  }

  /** Returns whether it has changes of a shard, and not only of the store's own keys. */
  boolean hasShards() {
    Treap.Node first = entries.above(null, true);
    return !deleted.isEmpty() || (first != null && !CellKey.isOwn(first.key()));
  }

  long bytes() {
    return entries.bytes();
  }

  long bytes(Range range) {
    return range.isEmpty() ? 0 : entries.bytes() - entries.deleteRange(range).bytes();
  }

  Memtable apply(int shard, Batch batch, long stamp) {
    Changes changes = new Changes(shard, stamp, entries, deleted);
    batch.replay(changes);
    return new Memtable(changes.entries, changes.deleted);
  }

  Memtable put(byte[] key, byte[] value, long stamp) {
    return new Memtable(entries.put(key, stored(PUT, stamp, value, 0, value.length)), deleted);
  }

  /**
   * A delete is kept, whatever the memtable knows: a checkpoint may have written an earlier put.
   */
  Memtable delete(byte[] key, long stamp) {
    return new Memtable(entries.put(key, stored(DELETE, stamp, new byte[0], 0, 0)), deleted);
  }

  Memtable deleteRange(byte[] from, byte[] to, long stamp) {
    return new Memtable(entries.deleteRange(Range.of(from, to)), deleted.add(from, to, stamp));
  }

  /** Returns the memtable without what log entries up to a stamp have changed. */
  Memtable withoutThrough(long stamp) {
    return new Memtable(
        entries.without(value -> stampOf(value) <= stamp), deleted.without(at -> at <= stamp));
  }

  private static byte[] stored(byte kind, long stamp, byte[] buffer, int offset, int length) {
    return ByteBuffer.allocate(HEADER + length)
        .put(kind)
        .putLong(stamp)
        .put(buffer, offset, length)
        .array();
  }

  /** Applies the operations of a batch, in order. */
  private static final class Changes implements Batch.Visitor {
    private final int shard;
    private final long stamp;
    private Treap entries;
    private RangeDeletes deleted;

    Changes(int shard, long stamp, Treap entries, RangeDeletes deleted) {
      this.shard = shard;
      this.stamp = stamp;
      this.entries = entries;
      this.deleted = deleted;
    }

    @Override
    public void put(Space space, byte[] buffer, int key, int keyLength, int value, int length) {
      entries =
          entries.put(
              CellKey.of(space, shard, buffer, key, keyLength),
              stored(PUT, stamp, buffer, value, length));
    }

    @Override
    public void delete(Space space, byte[] buffer, int key, int keyLength) {
      entries =
          entries.put(
              CellKey.of(space, shard, buffer, key, keyLength),
              stored(DELETE, stamp, new byte[0], 0, 0));
    }

    @Override
    public void deleteRange(
        Space space, byte[] buffer, int from, int fromLength, int to, int toLength) {
      byte[] low = Arrays.copyOfRange(buffer, from, from + fromLength);
      Range range =
          toLength < 0
              ? Range.from(low)
              : Range.of(low, Arrays.copyOfRange(buffer, to, to + toLength));
      Range inCell = CellKey.range(space, shard, range);
      entries = entries.deleteRange(inCell);
      deleted =
          deleted.add(
              Objects.requireNonNull(inCell.from()), Objects.requireNonNull(inCell.to()), stamp);
    }
  }
}
