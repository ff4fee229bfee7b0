package dev.mayfly.store.cassandra;

import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.RecordCache;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one shard: the memtable of a view first, then the record cache, then the leaves. The
 * cache is exact: a committed entry changes it together with the memtable, and this process is the
 * only writer.
 */
abstract class CellReader implements Reader {
  /** Keys of one statement. */
  private static final int KEYS_PER_READ = 100;

  /** About how many bytes one statement returns. */
  private static final long BYTES_PER_READ = 4 << 20;

  private final Cell cell;
  private final int number;
  private final RecordCache.Region region;

  CellReader(Cell cell, int number) {
    this.cell = cell;
    this.number = number;
    this.region = cell.records().region(number);
  }

  /** A state to read, with the generation of the cache's region from before it was fixed. */
  record Instant(Cell.View view, int generation) {}

  /** Returns the state to read. */
  abstract Instant instant();

  /** Fails if leaves may hold later contents than the state must show. */
  abstract void check();

  /** Returns whether what is read next is put into the cache. */
  abstract boolean keeps();

  final Cell cell() {
    return cell;
  }

  final RecordCache.Region region() {
    return region;
  }

  public final int number() {
    return number;
  }

  @Override
  public byte @Nullable [] read(Space space, byte[] key) {
    Instant now = instant();
    byte[] at = CellKey.of(space, number, key);
    byte[] known = inMemory(now.view().memtable(), at);
    if (!Shard.isNotCached(known)) {
      return known;
    }
    byte[] value =
        space == Space.RECORDS
            ? cell.records().read(cacheView(now), key, keeps(), _ -> ofLeaf(at))
            : ofLeaf(at);
    check();
    return value;
  }

  private RecordCache.View cacheView(Instant now) {
    return new RecordCache.View(region, now.generation(), now.view().entry());
  }

  private byte @Nullable [] ofLeaf(byte[] at) {
    Leaf leaf = cell.directory().of(at);
    return leaf.isEmpty() ? null : cell.tables().read(cell.number(), leaf.id(), at);
  }

  /** Returns what memory shows of a key: its value, null if there is none, or NOT_CACHED. */
  final byte @Nullable [] readMemory(Space space, byte[] key) {
    Instant now = instant();
    byte[] at = CellKey.of(space, number, key);
    byte[] known = inMemory(now.view().memtable(), at);
    if (Shard.isNotCached(known) && cell.directory().of(at).isEmpty()) {
      return null;
    }
    return Shard.isNotCached(known) && space == Space.RECORDS ? cached(now, key) : known;
  }

  private byte @Nullable [] cached(Instant now, byte[] key) {
    return cell.records().read(cacheView(now), key, false, _ -> Shard.NOT_CACHED);
  }

  /**
   * Returns what a memtable shows of a key: its value, null if it is deleted, or NOT_CACHED if the
   * memtable does not know it.
   */
  static byte @Nullable [] inMemory(Memtable memtable, byte[] key) {
    Memtable.Entry entry = memtable.find(key);
    if (entry != null) {
      return entry.isDelete() ? null : entry.value();
    }
    return memtable.deleted().covering(key) == null ? Shard.NOT_CACHED : null;
  }

  /** Reads what memory does not have leaf by leaf, all leaves at the same time. */
  @Override
  public List<byte @Nullable []> readAll(Space space, List<byte[]> keys) {
    Instant now = instant();
    Directory directory = cell.directory();
    Map<byte[], byte @Nullable []> found = new TreeMap<>(Arrays::compareUnsigned);
    Map<byte[], byte[]> missing = new TreeMap<>(Arrays::compareUnsigned);
    for (byte[] key : keys) {
      byte[] at = CellKey.of(space, number, key);
      byte[] known = inMemory(now.view().memtable(), at);
      if (Shard.isNotCached(known) && space == Space.RECORDS) {
        known = cached(now, key);
      }
      if (!Shard.isNotCached(known)) {
        found.put(at, known);
      } else if (!directory.of(at).isEmpty()) {
        missing.put(at, key);
      }
    }
    readMissing(directory, List.copyOf(missing.keySet()), found);
    check();
    if (space == Space.RECORDS) {
      missing.forEach((at, key) -> keep(now, key, found.get(at)));
    }
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      values.add(found.get(CellKey.of(space, number, key)));
    }
    return values;
  }

  /** Puts a record that was read into the cache, unless it was written since. */
  private void keep(Instant now, byte[] key, byte @Nullable [] value) {
    if (value != null && keeps()) {
      var _ = cell.records().read(cacheView(now), key, true, _ -> value);
    }
  }

  /** A statement in progress, and the leaf that it reads. */
  private record Reading(Leaf leaf, CompletionStage<List<Tables.LeafRow>> rows) {}

  /**
   * @param missing in order, each in a leaf that is not empty
   */
  private void readMissing(
      Directory directory, List<byte[]> missing, Map<byte[], byte @Nullable []> found) {
    Map<Leaf, List<byte[]>> byLeaf = new LinkedHashMap<>();
    for (byte[] at : missing) {
      byLeaf.computeIfAbsent(directory.of(at), _ -> new ArrayList<>()).add(at);
    }
    List<Reading> readings = new ArrayList<>();
    byLeaf.forEach(
        (leaf, wanted) -> {
          int most = (int) Math.min(KEYS_PER_READ, leaf.rowsOf(BYTES_PER_READ));
          for (int from = 0; from < wanted.size(); from += most) {
            List<byte[]> some = wanted.subList(from, Math.min(from + most, wanted.size()));
            readings.add(new Reading(leaf, cell.tables().readAll(cell.number(), leaf.id(), some)));
          }
        });
    for (Reading reading : readings) {
      Map<byte[], List<Tables.LeafRow>> parts = new TreeMap<>(Arrays::compareUnsigned);
      for (Tables.LeafRow row : Tables.await(reading.rows())) {
        parts.computeIfAbsent(row.key(), _ -> new ArrayList<>(1)).add(row);
      }
      parts.forEach((at, rows) -> found.put(at, whole(reading.leaf(), at, rows)));
    }
  }

  /** Joins the parts of a value; reads them again if they are of two writes. */
  private byte @Nullable [] whole(Leaf leaf, byte[] at, List<Tables.LeafRow> rows) {
    byte[] value = Tables.value(rows);
    return value == null ? cell.tables().read(cell.number(), leaf.id(), at) : value;
  }

  @Override
  public Scan scan(Space space, Range range, Direction direction) {
    return new CellScan(
        cell, instant().view().memtable(), this::check, space, number, range, direction);
  }
}
