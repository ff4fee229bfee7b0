package dev.mayfly.store.cassandra;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Leaf: a contiguous range of a cell's keys in one partition of Cassandra, with estimates of what
 * it holds.
 *
 * @param id of the partition; never used again
 * @param low its lowest possible key
 * @param rows written to it, including overwritten ones
 * @param deletes written to it, which Cassandra keeps as tombstones
 * @param runs bytes by space and shard (the first bytes of a key), of the largest ones
 */
@SuppressWarnings("ArrayRecordComponent") // nobody changes or compares them
record Leaf(long id, byte[] low, long rows, long bytes, long deletes, TreeMap<byte[], Long> runs) {
  private static final int MAX_RUNS = 32;

  static Leaf empty(long id, byte[] low) {
    return new Leaf(id, low, 0, 0, 0, new TreeMap<>(Arrays::compareUnsigned));
  }

  /** Returns whether the leaf holds nothing, so that it need not be read. */
  boolean isEmpty() {
    return rows == 0;
  }

  /** Returns how many rows, at least 2, have about this number of bytes. */
  long rowsOf(long wanted) {
    return rows == 0 || bytes == 0 ? Long.MAX_VALUE : Math.max(2, wanted * rows / bytes);
  }

  /** Counts writes to a leaf. Not thread-safe. */
  static final class Builder {
    private final long id;
    private final byte[] low;
    private long rows;
    private long bytes;
    private long deletes;
    private final TreeMap<byte[], Long> runs = new TreeMap<>(Arrays::compareUnsigned);

    Builder(Leaf leaf) {
      this.id = leaf.id;
      this.low = leaf.low;
      this.rows = leaf.rows;
      this.bytes = leaf.bytes;
      this.deletes = leaf.deletes;
      this.runs.putAll(leaf.runs);
    }

    void put(byte[] key, int valueBytes) {
      long length = (long) key.length + valueBytes;
      rows++;
      bytes += length;
      byte[] run = Arrays.copyOf(key, Math.min(key.length, CellKey.PREFIX_BYTES));
      runs.merge(run, length, Long::sum);
      if (runs.size() > MAX_RUNS) {
        byte[] smallest = Collections.min(runs.entrySet(), Map.Entry.comparingByValue()).getKey();
        runs.remove(smallest);
      }
    }

    void delete() {
      deletes++;
    }

    long bytes() {
      return bytes;
    }

    long rows() {
      return rows;
    }

    long id() {
      return id;
    }

    Leaf build() {
      return new Leaf(id, low, rows, bytes, deletes, runs);
    }
  }

  /** Returns about how many bytes it has of a range, whose bounds are of one space and shard. */
  long bytesOf(byte[] from, byte[] to, byte[] end) {
    Long run = runs.get(Arrays.copyOf(from, CellKey.PREFIX_BYTES));
    if (run == null) {
      return 0;
    }
    // a bound inside of the leaf and of the run cuts about half of it
    boolean cutBelow = from.length > CellKey.PREFIX_BYTES && Arrays.compareUnsigned(low, from) < 0;
    boolean cutAbove =
        to.length > CellKey.PREFIX_BYTES
            && CellKey.sameShard(from, to)
            && Arrays.compareUnsigned(to, end) < 0;
    return run / (cutBelow ? 2 : 1) / (cutAbove ? 2 : 1);
  }

  byte[] encode() {
    ByteBuffer value =
        ByteBuffer.allocate(
            4 * Long.BYTES + Integer.BYTES + runs.size() * (CellKey.PREFIX_BYTES + Long.BYTES));
    value.putLong(id).putLong(rows).putLong(bytes).putLong(deletes).putInt(runs.size());
    runs.forEach(
        (run, length) -> value.put(Arrays.copyOf(run, CellKey.PREFIX_BYTES)).putLong(length));
    return value.array();
  }

  /**
   * @param key of {@link Directory#leafKey}
   */
  static Leaf decode(byte[] key, byte[] value) {
    try {
      ByteBuffer in = ByteBuffer.wrap(value);
      long id = in.getLong();
      long rows = in.getLong();
      long bytes = in.getLong();
      long deletes = in.getLong();
      TreeMap<byte[], Long> runs = new TreeMap<>(Arrays::compareUnsigned);
      for (int i = in.getInt(); i > 0; i--) {
        byte[] run = new byte[CellKey.PREFIX_BYTES];
        in.get(run);
        runs.put(run, in.getLong());
      }
      return new Leaf(id, Arrays.copyOfRange(key, 2, key.length), rows, bytes, deletes, runs);
    } catch (BufferUnderflowException damaged) {
      throw new StoreException(Reason.CORRUPT, "the directory of the cell is damaged", damaged);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Leaf leaf && leaf.id == id;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(id);
  }
}
