package dev.mayfly.store.cassandra;

import dev.mayfly.store.CompactionFilter;
import dev.mayfly.store.Direction;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes the memtable of a cell to leaves, and renews leaves.
 *
 * <p>A checkpoint writes everything up to one log entry, with the timestamps of the entries; then
 * it commits the changed directory together with the number of that entry. Only after that the
 * memtable lets go, and the log is deleted. If it fails anywhere before, nothing has changed: what
 * it has written has the timestamps that the next attempt will use, too.
 *
 * <p>A leaf that has become too large, has many deletes, or is to be reclaimed is renewed: its rows
 * are merged with the memtable and written to fresh leaves, without what is deleted and what the
 * compaction filter drops. Leaves that are no longer used are deleted after a while, because a read
 * may be in progress. Safe for many threads.
 */
final class Checkpoint {
  private static final long UNUSED_NANOS = 60_000_000_000L;

  /** Entries of the store itself, such as those of checkpoints, that need no checkpoint. */
  private static final int OWN_ENTRIES = 512;

  /** Numbers of fresh leaves that one commit reserves. */
  private static final int RESERVED = 16;

  /** Buckets of the log that may not have been deleted when the cell was opened. */
  private static final long OLD_BUCKETS = 64;

  private final Cell cell;
  private final Committer committer;
  private final LongSupplier ticker;
  private volatile CompactionFilter filter = (_, _, _) -> false;

  // Guarded by this object.
  private long flushed;
  private long lastLeaf;
  private long deletedBucket;
  private final Map<Long, Long> unusedSince = new HashMap<>();

  /** Reserved numbers of leaves that are not in use yet. */
  private final Deque<Long> reserved = new ArrayDeque<>();

  /**
   * @param flushed entries up to this number are in leaves
   * @param lastLeaf the highest number of a leaf
   * @param unused leaves that nobody reads, to be deleted
   */
  Checkpoint(
      Cell cell,
      Committer committer,
      LongSupplier ticker,
      long flushed,
      long lastLeaf,
      List<Long> unused) {
    this.cell = cell;
    this.committer = committer;
    this.ticker = ticker;
    this.flushed = flushed;
    this.lastLeaf = lastLeaf;
    this.deletedBucket = Math.max(0, flushed / Tables.ENTRIES_PER_BUCKET - OLD_BUCKETS);
    long longAgo = ticker.getAsLong() - UNUSED_NANOS;
    unused.forEach(leaf -> unusedSince.put(leaf, longAgo));
  }

  void install(CompactionFilter next) {
    filter = next;
  }

  /** Writes what can be written, and renews the leaves that need it. */
  synchronized void run() {
    run(_ -> false);
  }

  /** As {@link #run()}, and renews all leaves that may hold keys of a range. */
  synchronized void renew(byte[] from, byte[] to) {
    run(
        leaf ->
            !leaf.isEmpty()
                && Arrays.compareUnsigned(leaf.low(), to) < 0
                && Arrays.compareUnsigned(from, cell.directory().end(leaf)) < 0);
  }

  private void run(Predicate<Leaf> renewed) {
    Cell.View base = cell.flushable();
    Directory directory = cell.directory();
    boolean due =
        base.entry() > flushed
            && (base.memtable().hasShards() || base.entry() - flushed > OWN_ENTRIES);
    if (due || directory.all().stream().anyMatch(renewed)) {
      write(base, directory, renewed);
    }
    deleteUnused();
    deleteLog();
  }

  private void write(Cell.View base, Directory directory, Predicate<Leaf> renewed) {
    long start = ticker.getAsLong();
    LeafWriter writer =
        new LeafWriter(
            cell.tables(),
            cell.number(),
            () -> committer.admission().inFlight(cell.lastKnown().memtable().bytes()));
    List<Leaf> removed = new ArrayList<>();
    List<Leaf> added = new ArrayList<>();
    for (Leaf leaf : directory.all()) {
      byte[] end = directory.end(leaf);
      boolean forced = renewed.test(leaf);
      if (!forced && !touches(base.memtable(), leaf.low(), end)) {
        continue;
      }
      removed.add(leaf);
      boolean covered = isCovered(base.memtable(), leaf.low(), end);
      Leaf.Builder written = new Leaf.Builder(leaf);
      if (!leaf.isEmpty() && (forced || covered || isWorn(leaf))) {
        added.addAll(new Renewal(base, leaf, end, writer, covered).run());
      } else {
        writeInto(written, end, base.memtable(), writer);
        added.add(written.build());
      }
    }
    writeOwn(base.memtable(), writer);
    writer.finish();
    commit(base, directory, removed, added);
    committer.admission().flushed(base.memtable().bytes(), ticker.getAsLong() - start);
  }

  /** Returns whether the memtable has changes between two keys. */
  private static boolean touches(Memtable memtable, byte[] low, byte[] end) {
    Memtable.Entry entry = memtable.next(low, true, Direction.UP);
    return (entry != null && Arrays.compareUnsigned(entry.key(), end) < 0)
        || memtable.deleted().all().stream().anyMatch(range -> overlaps(range, low, end));
  }

  private static boolean overlaps(RangeDeletes.Deleted range, byte[] low, byte[] end) {
    return Arrays.compareUnsigned(range.from(), end) < 0
        && Arrays.compareUnsigned(low, range.to()) < 0;
  }

  /** Returns whether everything in a leaf is deleted. */
  private static boolean isCovered(Memtable memtable, byte[] low, byte[] end) {
    RangeDeletes.Deleted range = memtable.deleted().covering(low);
    return range != null && Arrays.compareUnsigned(end, range.to()) <= 0;
  }

  private boolean isWorn(Leaf leaf) {
    CellLimits limits = cell.limits();
    return leaf.bytes() > limits.leafBytes()
        || leaf.rows() > limits.leafRows()
        || leaf.deletes() > limits.leafDeletes();
  }

  private static void writeInto(
      Leaf.Builder leaf, byte[] end, Memtable memtable, LeafWriter writer) {
    byte[] low = leaf.build().low();
    for (RangeDeletes.Deleted range : memtable.deleted().all()) {
      if (overlaps(range, low, end)) {
        writer.deleteRange(
            leaf.id(), later(range.from(), low), earlier(range.to(), end), range.stamp());
        leaf.delete();
      }
    }
    Memtable.Entry entry = memtable.next(low, true, Direction.UP);
    while (entry != null && Arrays.compareUnsigned(entry.key(), end) < 0) {
      if (entry.isDelete()) {
        writer.delete(leaf.id(), entry.key(), entry.stamp());
        leaf.delete();
      } else {
        writer.put(leaf.id(), entry.key(), entry.value(), entry.stamp() + 1);
        leaf.put(entry.key(), entry.valueBytes());
      }
      entry = memtable.next(entry.key(), false, Direction.UP);
    }
  }

  private static void writeOwn(Memtable memtable, LeafWriter writer) {
    Memtable.Entry entry = memtable.next(Directory.END, true, Direction.UP);
    while (entry != null) {
      if (entry.isDelete()) {
        writer.delete(Directory.OWN_LEAF, entry.key(), entry.stamp());
      } else {
        writer.put(Directory.OWN_LEAF, entry.key(), entry.value(), entry.stamp() + 1);
      }
      entry = memtable.next(entry.key(), false, Direction.UP);
    }
  }

  private static byte[] later(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other) >= 0 ? one : other;
  }

  private static byte[] earlier(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other) <= 0 ? one : other;
  }

  private void commit(Cell.View base, Directory directory, List<Leaf> removed, List<Leaf> added) {
    List<LogEntry.OwnChange> changes = new ArrayList<>();
    for (Leaf leaf : removed) {
      if (!contains(added, leaf.id())) {
        changes.add(LogEntry.OwnChange.delete(Directory.leafKey(leaf.low())));
        changes.add(LogEntry.OwnChange.put(Directory.unusedKey(leaf.id()), new byte[0]));
      }
    }
    for (Leaf leaf : added) {
      changes.add(LogEntry.OwnChange.put(Directory.leafKey(leaf.low()), leaf.encode()));
      if (!contains(removed, leaf.id())) {
        changes.add(LogEntry.OwnChange.delete(Directory.unusedKey(leaf.id())));
      }
    }
    committer.commitFlushed(changes, base.entry());
    // only now: a leaf that is in use after a commit that failed must not be deleted later
    long now = ticker.getAsLong();
    removed.stream()
        .filter(leaf -> !contains(added, leaf.id()))
        .forEach(leaf -> unusedSince.put(leaf.id(), now));
    added.forEach(leaf -> unusedSince.remove(leaf.id()));
    flushed = base.entry();
    cell.flushed(base, directory.replace(removed, added));
  }

  private static boolean contains(List<Leaf> leaves, long id) {
    return leaves.stream().anyMatch(leaf -> leaf.id() == id);
  }

  /** Returns the number of a fresh leaf: if it is never used, it is deleted. */
  private long reserve() {
    if (reserved.isEmpty()) {
      List<LogEntry.OwnChange> changes = new ArrayList<>();
      for (int i = 1; i <= RESERVED; i++) {
        changes.add(LogEntry.OwnChange.put(Directory.unusedKey(lastLeaf + i), new byte[0]));
      }
      byte[] last = ByteBuffer.allocate(Long.BYTES).putLong(lastLeaf + RESERVED).array();
      changes.add(LogEntry.OwnChange.put(Directory.lastLeafKey(), last));
      committer.commitOwn(changes);
      for (int i = 1; i <= RESERVED; i++) {
        reserved.add(lastLeaf + i);
      }
      lastLeaf += RESERVED;
    }
    long id = reserved.remove();
    // until the directory lists it
    unusedSince.put(id, ticker.getAsLong());
    return id;
  }

  private void deleteUnused() {
    long now = ticker.getAsLong();
    List<LogEntry.OwnChange> changes = new ArrayList<>();
    for (var unused : List.copyOf(unusedSince.entrySet())) {
      if (now - unused.getValue() >= UNUSED_NANOS) {
        cell.tables().deleteLeaf(cell.number(), unused.getKey(), cell.view().stamp() + 1);
        changes.add(LogEntry.OwnChange.delete(Directory.unusedKey(unused.getKey())));
        unusedSince.remove(unused.getKey());
      }
    }
    if (!changes.isEmpty()) {
      committer.commitOwn(changes);
    }
  }

  /** Deletes the part of the log that will never be read again. */
  private void deleteLog() {
    while (deletedBucket < flushed / Tables.ENTRIES_PER_BUCKET) {
      cell.tables().deleteLog(cell.number(), deletedBucket);
      deletedBucket++;
    }
  }

  /** Rewriting of one leaf into fresh ones. */
  private final class Renewal {
    private final Cell.View base;
    private final Leaf old;
    private final byte[] end;
    private final LeafWriter writer;
    private final boolean covered;
    private final CompactionFilter drops = filter;
    private final List<Leaf> fresh = new ArrayList<>();
    private Leaf.@Nullable Builder current;
    private byte[] last = {};

    Renewal(Cell.View base, Leaf old, byte[] end, LeafWriter writer, boolean covered) {
      this.base = base;
      this.old = old;
      this.end = end;
      this.writer = writer;
      this.covered = covered;
    }

    List<Leaf> run() {
      LeafCursor rows =
          new LeafCursor(
              cell.tables(),
              cell.number(),
              () -> Directory.of(List.of(old)),
              old.low(),
              covered ? old.low() : end,
              Direction.UP);
      Memtable memtable = base.memtable();
      Memtable.Entry entry = inside(memtable.next(old.low(), true, Direction.UP));
      LeafCursor.Row row = rows.peek();
      while (row != null || entry != null) {
        int order = row == null ? -1 : entry == null ? 1 : compare(entry, row);
        if (entry != null && order <= 0) {
          if (!entry.isDelete()) {
            keep(entry.key(), entry.value());
          }
          entry = inside(memtable.next(entry.key(), false, Direction.UP));
        } else if (row != null && memtable.deleted().covering(row.key()) == null) {
          keep(row.key(), Objects.requireNonNull(rows.value(row), "only checkpoints delete rows"));
        }
        if (order >= 0) {
          rows.skip();
          row = rows.peek();
        }
      }
      finishLeaf();
      if (fresh.isEmpty() && old.low().length == 0) {
        // there is always a first leaf
        fresh.add(Leaf.empty(reserve(), old.low()));
      }
      return fresh;
    }

    private static int compare(Memtable.Entry entry, LeafCursor.Row row) {
      return Arrays.compareUnsigned(entry.key(), row.key());
    }

    /** Returns an entry if it lies in the leaf. */
    private Memtable.@Nullable Entry inside(Memtable.@Nullable Entry entry) {
      return entry != null && Arrays.compareUnsigned(entry.key(), end) < 0 ? entry : null;
    }

    private void keep(byte[] key, byte[] value) {
      if (CellKey.space(key).filtered() && drops(key, value)) {
        return;
      }
      Leaf.Builder leaf = leaf(key);
      writer.put(leaf.id(), key, value, base.stamp() + 1);
      leaf.put(key, value.length);
      last = key;
    }

    private boolean drops(byte[] key, byte[] value) {
      try {
        return drops.drop(
            CellKey.shard(key), CellKey.space(key), MemorySegment.ofArray(value).asReadOnly());
      } catch (RuntimeException e) {
        return false;
      }
    }

    /** Returns the leaf for a key: a fresh one if the current one is full. */
    private Leaf.Builder leaf(byte[] key) {
      Leaf.Builder now = current;
      if (now != null
          && now.bytes() < cell.limits().freshBytes()
          && now.rows() < cell.limits().leafRows() / 2) {
        return now;
      }
      finishLeaf();
      // the first one begins where the old one did
      byte[] low = fresh.isEmpty() ? old.low() : between(last, key);
      Leaf.Builder next = new Leaf.Builder(Leaf.empty(reserve(), low));
      current = next;
      return next;
    }

    private void finishLeaf() {
      if (current != null) {
        fresh.add(current.build());
        current = null;
      }
    }
  }

  /** Returns the shortest key that is above one key and at most another. */
  private static byte[] between(byte[] below, byte[] key) {
    int same = Arrays.mismatch(below, key);
    return Arrays.copyOf(key, same + 1);
  }
}
