package dev.mayfly.store.cassandra;

import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads of one shard: the memtable of a view first, then the leaves. */
abstract class CellReader implements Reader {
  /** Keys of one statement. */
  private static final int KEYS_PER_READ = 100;

  private final Cell cell;
  private final int number;

  CellReader(Cell cell, int number) {
    this.cell = cell;
    this.number = number;
  }

  /** Returns the view to read. */
  abstract Cell.View view();

  /** Fails if leaves may hold later contents than the view must show. */
  abstract void check();

  final Cell cell() {
    return cell;
  }

  public final int number() {
    return number;
  }

  @Override
  public byte @Nullable [] read(Space space, byte[] key) {
    byte[] at = CellKey.of(space, number, key);
    byte[] known = inMemory(view().memtable(), at);
    if (!Shard.isNotCached(known)) {
      return known;
    }
    Leaf leaf = cell.directory().of(at);
    byte[] value = leaf.isEmpty() ? null : cell.tables().read(cell.number(), leaf.id(), at);
    check();
    return value;
  }

  /** Returns what memory shows of a key: its value, null if it is deleted, or NOT_CACHED. */
  static byte @Nullable [] inMemory(Memtable memtable, byte[] key) {
    Memtable.Entry entry = memtable.find(key);
    if (entry != null) {
      return entry.isDelete() ? null : entry.value();
    }
    return memtable.deleted().covering(key) == null ? Shard.NOT_CACHED : null;
  }

  @Override
  public List<byte @Nullable []> readAll(Space space, List<byte[]> keys) {
    Memtable memtable = view().memtable();
    Directory directory = cell.directory();
    TreeMap<byte[], byte @Nullable []> found = new TreeMap<>(Arrays::compareUnsigned);
    Map<Leaf, List<byte[]>> missing = new LinkedHashMap<>();
    for (byte[] key : keys) {
      byte[] at = CellKey.of(space, number, key);
      byte[] known = inMemory(memtable, at);
      if (!Shard.isNotCached(known)) {
        found.put(at, known);
      } else if (!directory.of(at).isEmpty()) {
        missing.computeIfAbsent(directory.of(at), _ -> new ArrayList<>()).add(at);
      }
    }
    missing.forEach((leaf, wanted) -> readMissing(leaf, wanted, found));
    check();
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      values.add(found.get(CellKey.of(space, number, key)));
    }
    return values;
  }

  private void readMissing(Leaf leaf, List<byte[]> wanted, Map<byte[], byte @Nullable []> found) {
    for (int from = 0; from < wanted.size(); from += KEYS_PER_READ) {
      List<byte[]> some = wanted.subList(from, Math.min(from + KEYS_PER_READ, wanted.size()));
      List<Tables.LeafRow> parts = new ArrayList<>();
      for (Tables.LeafRow row : cell.tables().readAll(cell.number(), leaf.id(), some)) {
        if (!parts.isEmpty() && !Arrays.equals(parts.getFirst().key(), row.key())) {
          found.put(parts.getFirst().key(), Tables.value(parts));
          parts = new ArrayList<>();
        }
        parts.add(row);
      }
      if (!parts.isEmpty()) {
        found.put(parts.getFirst().key(), Tables.value(parts));
      }
    }
  }

  @Override
  public Scan scan(Space space, Range range, Direction direction) {
    return new CellScan(cell, view().memtable(), this::check, space, number, range, direction);
  }
}
