package dev.mayfly.store.cassandra;

import dev.mayfly.store.Direction;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the leaves of a cell in the order of their keys, in pages. A page is a range of keys: it
 * looks up its leaf when it is read, so a leaf may be renewed between two pages. For one thread.
 */
final class LeafCursor {
  private static final int FIRST_ROWS = 64;
  private static final int MAX_ROWS = 2000;
  private static final long PAGE_BYTES = 1 << 20;

  private final Tables tables;
  private final int cell;
  private final Supplier<Directory> directory;
  private final Direction direction;

  /** Bounds of what is still to be read, of which one moves. */
  private byte[] from;

  private byte[] to;
  private final Deque<Row> rows = new ArrayDeque<>();
  private int limit = FIRST_ROWS;

  /** A key of a leaf with its value, which is read apart if it has several parts. */
  @SuppressWarnings("ArrayRecordComponent") // nobody changes or compares them
  record Row(byte[] key, byte @Nullable [] whole, long leaf) {}

  LeafCursor(
      Tables tables,
      int cell,
      Supplier<Directory> directory,
      byte[] from,
      byte[] to,
      Direction direction) {
    this.tables = tables;
    this.cell = cell;
    this.directory = directory;
    this.from = from;
    this.to = to;
    this.direction = direction;
  }

  /** Returns the next row without moving past it; null at the end. */
  @Nullable Row peek() {
    while (rows.isEmpty() && Arrays.compareUnsigned(from, to) < 0) {
      readPage();
    }
    return rows.peekFirst();
  }

  void skip() {
    rows.removeFirst();
  }

  /** Returns the value of a row. */
  byte[] value(Row row) {
    byte[] whole = row.whole();
    return whole != null
        ? whole
        : Objects.requireNonNull(tables.read(cell, row.leaf(), row.key()), "a value has vanished");
  }

  /** Skips rows below a key, or at and above it if descending. */
  void moveTo(byte[] key) {
    while (!rows.isEmpty() && isBefore(rows.getFirst().key(), key)) {
      rows.removeFirst();
    }
    if (rows.isEmpty()) {
      switch (direction) {
        case UP -> from = Arrays.compareUnsigned(from, key) < 0 ? key : from;
        case DOWN -> to = Arrays.compareUnsigned(key, to) < 0 ? key : to;
      }
    }
  }

  private boolean isBefore(byte[] row, byte[] key) {
    return switch (direction) {
      case UP -> Arrays.compareUnsigned(row, key) < 0;
      case DOWN -> Arrays.compareUnsigned(row, key) >= 0;
    };
  }

  private void readPage() {
    Directory now = directory.get();
    Leaf leaf =
        switch (direction) {
          case UP -> now.of(from);
          case DOWN -> Objects.requireNonNull(now.below(to));
        };
    byte[] low = later(from, leaf.low());
    byte[] high = earlier(to, now.end(leaf));
    List<Tables.LeafRow> page =
        leaf.isEmpty() ? List.of() : tables.page(cell, leaf.id(), low, high, direction, limit);
    long bytes = 0;
    byte[] key = {};
    for (Tables.LeafRow row : page) {
      bytes += row.key().length + (long) row.value().length;
      if (rows.isEmpty() || !Arrays.equals(row.key(), key)) {
        rows.addLast(row(leaf.id(), row));
      }
      key = row.key();
    }
    boolean complete = page.size() < limit;
    moveBound(complete, low, high, key);
    adapt(page.size(), bytes);
  }

  private static Row row(long leaf, Tables.LeafRow row) {
    boolean isWhole = row.part() == 0 && row.parts() == 1;
    return new Row(row.key(), isWhole ? Tables.value(List.of(row)) : null, leaf);
  }

  private void moveBound(boolean complete, byte[] low, byte[] high, byte[] last) {
    switch (direction) {
      case UP -> from = complete ? high : Arrays.copyOf(last, last.length + 1);
      case DOWN -> to = complete ? low : last;
    }
  }

  /** Makes the next page about a mebibyte. */
  private void adapt(int read, long bytes) {
    if (read > 0) {
      long fitting = PAGE_BYTES * read / Math.max(bytes, 1);
      limit = (int) Math.clamp(fitting, 2, Math.min(MAX_ROWS, limit * 4L));
    }
  }

  private static byte[] later(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other) >= 0 ? one : other;
  }

  private static byte[] earlier(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other) <= 0 ? one : other;
  }
}
