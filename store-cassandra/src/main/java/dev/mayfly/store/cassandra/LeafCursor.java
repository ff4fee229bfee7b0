package dev.mayfly.store.cassandra;

import dev.mayfly.store.Direction;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the leaves of a cell in the order of their keys, in pages. A page is a range of keys: it
 * looks up its leaf when it is requested, so a leaf may be renewed between two pages. A cursor that
 * goes beyond its first page requests each next page while its caller uses the current one. For one
 * thread.
 */
final class LeafCursor {
  private static final int FIRST_ROWS = 64;
  private static final int MAX_ROWS = 2000;
  private static final long PAGE_BYTES = 1 << 20;

  private final Tables tables;
  private final int cell;
  private final Supplier<Directory> directory;
  private final Direction direction;

  /** Bounds of what is still to be requested, of which one moves. */
  private byte[] from;

  private byte[] to;
  private final Deque<Row> rows = new ArrayDeque<>();
  private int limit = FIRST_ROWS;
  private @Nullable Page ahead;
  private boolean first = true;

  /** A key of a leaf with its value, which is read apart if it has several parts. */
  @SuppressWarnings("ArrayRecordComponent") // nobody changes or compares them
  record Row(byte[] key, byte @Nullable [] whole, long leaf) {}

  /** A requested page: rows of one leaf between two keys, at most {@code limit}. */
  @SuppressWarnings("ArrayRecordComponent") // nobody changes or compares them
  private record Page(
      long leaf, byte[] low, byte[] high, int limit, CompletionStage<List<Tables.LeafRow>> rows) {}

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
    while (rows.isEmpty() && (ahead != null || hasMore())) {
      readPage();
    }
    return rows.peekFirst();
  }

  private boolean hasMore() {
    return Arrays.compareUnsigned(from, to) < 0;
  }

  void skip() {
    rows.removeFirst();
  }

  /** Returns the value of a row; null if it has several parts and was deleted meanwhile. */
  byte @Nullable [] value(Row row) {
    byte[] whole = row.whole();
    return whole != null ? whole : tables.read(cell, row.leaf(), row.key());
  }

  /** Skips rows below a key, or at and above it if descending. */
  void moveTo(byte[] key) {
    while (!rows.isEmpty() && isBefore(rows.getFirst().key(), key)) {
      rows.removeFirst();
    }
    if (rows.isEmpty()) {
      if (ahead != null && !reaches(ahead, key)) {
        ahead = null;
      }
      if (ahead == null) {
        switch (direction) {
          case UP -> from = later(from, key);
          case DOWN -> to = earlier(to, key);
        }
      } else {
        readPage();
        moveTo(key);
      }
    }
  }

  /** Returns whether a page may have rows at or after a key, in the direction of the cursor. */
  private boolean reaches(Page page, byte[] key) {
    return switch (direction) {
      case UP -> Arrays.compareUnsigned(key, page.high) < 0;
      case DOWN -> Arrays.compareUnsigned(page.low, key) < 0;
    };
  }

  private boolean isBefore(byte[] row, byte[] key) {
    return switch (direction) {
      case UP -> Arrays.compareUnsigned(row, key) < 0;
      case DOWN -> Arrays.compareUnsigned(row, key) >= 0;
    };
  }

  private void readPage() {
    Page page = ahead == null ? request() : ahead;
    ahead = null;
    List<Tables.LeafRow> read = Tables.await(page.rows);
    long bytes = 0;
    byte[] key = {};
    for (Tables.LeafRow row : read) {
      bytes += row.key().length + (long) row.value().length;
      if (rows.isEmpty() || !Arrays.equals(row.key(), key)) {
        rows.addLast(row(page.leaf, row));
      }
      key = row.key();
    }
    boolean complete = read.size() < page.limit;
    switch (direction) {
      case UP -> from = complete ? page.high : Arrays.copyOf(key, key.length + 1);
      case DOWN -> to = complete ? page.low : key;
    }
    adapt(read.size(), bytes);
    if (!first && hasMore()) {
      ahead = request();
    }
    first = false;
  }

  /** Requests the next page. */
  private Page request() {
    Directory now = directory.get();
    Leaf leaf =
        switch (direction) {
          case UP -> now.of(from);
          case DOWN -> Objects.requireNonNull(now.below(to));
        };
    byte[] low = later(from, leaf.low());
    byte[] high = earlier(to, now.end(leaf));
    int rows = (int) Math.min(limit, leaf.rowsOf(PAGE_BYTES));
    return new Page(
        leaf.id(),
        low,
        high,
        rows,
        leaf.isEmpty()
            ? CompletableFuture.completedStage(List.of())
            : tables.page(cell, leaf.id(), low, high, direction, rows));
  }

  private static Row row(long leaf, Tables.LeafRow row) {
    return new Row(row.key(), row.isWhole() ? Tables.value(List.of(row)) : null, leaf);
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
