package dev.mayfly.store.cassandra;

import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Scan of a shard: merges the memtable of a view with the leaves. */
final class CellScan implements Scan {
  private final Cell cell;
  private final Memtable memtable;
  private final Runnable check;
  private final Space space;
  private final int shard;
  private final Direction direction;
  private final byte[] from;
  private final byte[] to;

  private LeafCursor leaves;

  /** Where the memtable is looked up next: at this key if inclusive, else after it. */
  private byte[] position;

  private boolean inclusive;
  private byte @Nullable [] key;
  private byte @Nullable [] value;
  private boolean exhausted;
  private boolean released;

  /**
   * @param check fails if the scan can no longer be read
   */
  CellScan(
      Cell cell,
      Memtable memtable,
      Runnable check,
      Space space,
      int shard,
      Range range,
      Direction direction) {
    this.cell = cell;
    this.memtable = memtable;
    this.check = check;
    this.space = space;
    this.shard = shard;
    this.direction = direction;
    Range inCell = CellKey.range(space, shard, range);
    this.from = Objects.requireNonNull(inCell.from());
    this.to = range.isEmpty() ? from : Objects.requireNonNull(inCell.to());
    this.position = from;
    this.leaves = cursor(from, to);
    rewind(direction == Direction.UP ? from : to, direction == Direction.UP);
  }

  private LeafCursor cursor(byte[] low, byte[] high) {
    return new LeafCursor(cell.tables(), cell.number(), cell::directory, low, high, direction);
  }

  private void rewind(byte[] at, boolean atInclusive) {
    position = at;
    inclusive = atInclusive;
    key = null;
    value = null;
    exhausted = false;
  }

  @Override
  public boolean next() {
    check();
    key = null;
    value = null;
    if (exhausted) {
      return false;
    }
    while (true) {
      Memtable.Entry entry = entry();
      LeafCursor.Row row = row();
      if (entry == null && row == null) {
        exhausted = true;
        return false;
      }
      int order = entry == null ? 1 : row == null ? -1 : order(entry.key(), row.key());
      if (order > 0) {
        byte[] found = leaves.value(Objects.requireNonNull(row));
        leaves.skip();
        check.run();
        if (found == null) {
          continue;
        }
        take(row.key(), found);
        return true;
      }
      if (order == 0) {
        leaves.skip();
      }
      Objects.requireNonNull(entry);
      position = entry.key();
      inclusive = false;
      if (!entry.isDelete()) {
        take(entry.key(), entry.value());
        return true;
      }
    }
  }

  private int order(byte[] one, byte[] other) {
    int order = Arrays.compareUnsigned(one, other);
    return direction == Direction.UP ? order : -order;
  }

  /** Returns the next entry of the memtable in the range. */
  private Memtable.@Nullable Entry entry() {
    Memtable.Entry entry = memtable.next(position, inclusive, direction);
    return entry != null && isInRange(entry.key()) ? entry : null;
  }

  private boolean isInRange(byte[] at) {
    return Arrays.compareUnsigned(from, at) <= 0 && Arrays.compareUnsigned(at, to) < 0;
  }

  /** Returns the next row of the leaves that no range delete of the memtable covers. */
  private LeafCursor.@Nullable Row row() {
    LeafCursor.Row row = leaves.peek();
    while (row != null) {
      RangeDeletes.Deleted deleted = memtable.deleted().covering(row.key());
      if (deleted == null) {
        return row;
      }
      leaves.moveTo(direction == Direction.UP ? deleted.to() : deleted.from());
      row = leaves.peek();
    }
    return null;
  }

  private void take(byte[] at, byte[] found) {
    position = at;
    inclusive = false;
    key = at;
    value = found;
  }

  @Override
  public byte[] key() {
    return CellKey.inShard(current(key));
  }

  @Override
  public byte[] value() {
    return current(value).clone();
  }

  private byte[] current(byte @Nullable [] part) {
    check();
    if (part == null) {
      throw new IllegalStateException("the scan is not at an entry");
    }
    return part;
  }

  @Override
  public void seek(byte[] target) {
    check();
    byte[] at = CellKey.of(space, shard, target);
    switch (direction) {
      case UP -> {
        byte[] start = Arrays.compareUnsigned(at, from) < 0 ? from : at;
        leaves = cursor(start, to);
        rewind(start, true);
      }
      case DOWN -> {
        boolean inside = Arrays.compareUnsigned(at, to) < 0;
        leaves = cursor(from, inside ? Arrays.copyOf(at, at.length + 1) : to);
        rewind(inside ? at : to, inside);
      }
    }
  }

  @Override
  public void close() {
    released = true;
  }

  private void check() {
    cell.checkOpen();
    if (released) {
      throw new StoreException(Reason.CLOSED, "the scan is closed");
    }
    check.run();
  }
}
