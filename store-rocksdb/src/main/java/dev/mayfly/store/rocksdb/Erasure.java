package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Batch;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Range;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;

/**
 * Ranges of a shard that are about to be erased, while no commit to the shard is in progress.
 *
 * <p>The entries of a short range are deleted one by one. A range delete would slow down all reads
 * of its column family until the memtable is flushed: collections that are created and dropped all
 * the time would be noticed by others. Long ranges are deleted as ranges, and their files removed.
 * Not thread-safe.
 */
final class Erasure implements Batch.Visitor {
  /** A range with more entries is long. */
  private static final int FEW = 64;

  /** A range with a larger size is long: its files are worth being removed. */
  private static final long SHORT_BYTES = 256 << 10;

  /** A range with more tombstones in a row is long, too. */
  private static final int MAX_SKIPPED = 1_000;

  private final Columns columns;
  private final Prefix prefix;
  private final Map<Space, List<byte[]>> bounds = new EnumMap<>(Space.class);

  /** Pairs of bounds, as {@link #bounds}. */
  private final Map<Space, List<byte[]>> longBounds = new EnumMap<>(Space.class);

  Erasure(Columns columns, Prefix prefix) {
    this.columns = columns;
    this.prefix = prefix;
  }

  /** Adds a range, by keys with their prefix. */
  void add(Space space, byte[] from, byte[] to) {
    bounds.computeIfAbsent(space, _ -> new ArrayList<>()).addAll(List.of(from, to));
  }

  @Override
  public void put(Space space, byte[] buffer, int key, int keyLength, int value, int length) {
    throw new IllegalArgumentException("a batch to erase contains a put");
  }

  @Override
  public void delete(Space space, byte[] buffer, int key, int keyLength) {
    throw new IllegalArgumentException("a batch to erase contains the delete of a key");
  }

  @Override
  public void deleteRange(
      Space space, byte[] buffer, int from, int fromLength, int to, int toLength) {
    byte[] end = toLength < 0 ? prefix.end() : prefix.before(copy(buffer, to, toLength));
    add(space, prefix.before(copy(buffer, from, fromLength)), end);
  }

  private static byte[] copy(byte[] buffer, int at, int length) {
    return Arrays.copyOfRange(buffer, at, at + length);
  }

  boolean has(Space space) {
    return bounds.containsKey(space);
  }

  /** Returns whether any range is long, as far as {@link #deleteFrom} has found. */
  boolean isLong() {
    return !longBounds.isEmpty();
  }

  /** Adds deletes of all entries to a batch. */
  void deleteFrom(WriteBatch write) throws RocksDBException {
    for (Map.Entry<Space, List<byte[]>> one : bounds.entrySet()) {
      ColumnFamilyHandle family = columns.of(one.getKey());
      List<byte[]> pairs = one.getValue();
      for (int i = 0; i < pairs.size(); i += 2) {
        List<byte[]> few = few(family, pairs.get(i), pairs.get(i + 1));
        if (few == null) {
          write.deleteRange(family, pairs.get(i), pairs.get(i + 1));
          longBounds
              .computeIfAbsent(one.getKey(), _ -> new ArrayList<>())
              .addAll(pairs.subList(i, i + 2));
        } else {
          for (byte[] key : few) {
            write.delete(family, key);
          }
        }
      }
    }
  }

  /** Adds deletes of the long ranges to a batch. */
  void deleteLongFrom(WriteBatch write) throws RocksDBException {
    for (Map.Entry<Space, List<byte[]>> one : longBounds.entrySet()) {
      List<byte[]> pairs = one.getValue();
      for (int i = 0; i < pairs.size(); i += 2) {
        write.deleteRange(columns.of(one.getKey()), pairs.get(i), pairs.get(i + 1));
      }
    }
  }

  /** Removes files that are inside the long ranges, except the youngest. */
  void removeFiles() throws RocksDBException {
    for (Map.Entry<Space, List<byte[]>> one : longBounds.entrySet()) {
      columns.database().deleteFilesInRanges(columns.of(one.getKey()), one.getValue(), false);
    }
  }

  /**
   * Returns the keys of a short range; null if the range is long, or cannot be read. A range of
   * which deletes have left nothing but files is long, too: its files must go.
   */
  private @Nullable List<byte[]> few(ColumnFamilyHandle family, byte[] from, byte[] to) {
    List<byte[]> keys = new ArrayList<>();
    try (Slice start = new Slice(from);
        Slice end = new Slice(to);
        ReadOptions options =
            new ReadOptions()
                .setIterateUpperBound(end)
                .setFillCache(false)
                .setMaxSkippableInternalKeys(MAX_SKIPPED)) {
      long size = bytes(family, new Range(start, end));
      if (size > SHORT_BYTES) {
        return null;
      }
      try (RocksIterator entries = columns.database().newIterator(family, options)) {
        for (entries.seek(from); entries.isValid(); entries.next()) {
          if (keys.size() == FEW) {
            return null;
          }
          keys.add(entries.key());
        }
        entries.status();
      }
      return keys.isEmpty() && size > 0 ? null : keys;
    } catch (RocksDBException unreadable) {
      return null;
    }
  }

  /** Returns the size of a range, with what deletes have left of it. */
  private long bytes(ColumnFamilyHandle family, Range range) {
    return columns.database()
        .getApproximateSizes(
            family,
            List.of(range),
            SizeApproximationFlag.INCLUDE_FILES,
            SizeApproximationFlag.INCLUDE_MEMTABLES)[0];
  }
}
