package dev.mayfly.store.cassandra;

import dev.mayfly.store.RecordCache;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * State of an open cell in this process: what it contains, and its open snapshots. Safe for many
 * threads.
 */
final class Cell {
  private final int number;
  private final Tables tables;
  private final CellLimits limits;
  private final LongSupplier ticker;
  private final Runnable lost;

  /** In the order in which they were opened. Guarded by this object. */
  private final Set<OpenSnapshot> snapshots = new LinkedHashSet<>();

  private final RecordCache records;
  private volatile View view;
  private volatile boolean inDoubt;
  private volatile @Nullable StoreException closed;

  /**
   * Entries that were committed while a checkpoint takes its part out of the memtable; null at
   * other times. Guarded by this object.
   */
  private @Nullable List<LogEntry> meanwhile;

  /**
   * What a cell contains at one instant: the memtable, and the leaves for what is not in it.
   *
   * @param entry number of the last log entry in it
   * @param stamp of that entry
   */
  record View(Memtable memtable, Directory directory, long entry, long stamp) {}

  /** A snapshot that holds back checkpoints until it is closed or too old. */
  static final class OpenSnapshot {
    private final View view;
    private final long openedNanos;
    private volatile boolean gone;
    private volatile boolean released;

    OpenSnapshot(View view, long openedNanos) {
      this.view = view;
      this.openedNanos = openedNanos;
    }

    View view() {
      check();
      return view;
    }

    /** Fails if leaves may have later contents than the snapshot. */
    void check() {
      if (released) {
        throw new StoreException(Reason.CLOSED, "the snapshot is closed");
      }
      if (gone) {
        throw new StoreException(
            Reason.SNAPSHOT_GONE, "the snapshot was open for too long; open it again");
      }
    }
  }

  /**
   * @param lost called when another server has claimed the cell
   */
  Cell(
      int number, Tables tables, CellLimits limits, LongSupplier ticker, Runnable lost, View view) {
    this.lost = lost;
    this.number = number;
    this.tables = tables;
    this.limits = limits;
    this.ticker = ticker;
    this.records = new RecordCache(limits.cacheBytes());
    this.view = view;
  }

  /** The cache of records. */
  RecordCache records() {
    return records;
  }

  int number() {
    return number;
  }

  Tables tables() {
    return tables;
  }

  CellLimits limits() {
    return limits;
  }

  /**
   * Returns what the cell contains now.
   *
   * @throws StoreException UNAVAILABLE while it is unknown whether a commit was applied
   */
  View view() {
    checkOpen();
    if (inDoubt) {
      throw new StoreException(
          Reason.UNAVAILABLE, "Cassandra has not answered an earlier commit yet");
    }
    return view;
  }

  /** Returns what the cell contains as far as it is known. */
  View lastKnown() {
    return view;
  }

  /**
   * Sets whether the outcome of a commit is unknown, although its caller no longer waits for it. No
   * read may answer before it is known.
   */
  void inDoubt(boolean unknown) {
    inDoubt = unknown;
  }

  boolean inDoubt() {
    return inDoubt;
  }

  /** Returns the current leaves. They hold nothing that an open snapshot does not contain. */
  Directory directory() {
    return view.directory();
  }

  void checkOpen() {
    StoreException reason = closed;
    if (reason != null) {
      throw new StoreException(reason.reason(), String.valueOf(reason.getMessage()), reason);
    }
  }

  boolean isOpen() {
    return closed == null;
  }

  /** Closes the cell: later calls fail with this reason. The first call counts. */
  synchronized void close(StoreException reason) {
    if (closed == null) {
      closed = reason;
      if (isLoss(reason)) {
        lost.run();
      }
    }
  }

  /** Returns whether the cell is closed because another server has it, or may have it. */
  private static boolean isLoss(StoreException reason) {
    return switch (reason.reason()) {
      case FENCED, UNSURE, IO -> true;
      case CORRUPT, DISK_FULL, IN_USE, NEWER_FORMAT, CLOSED, UNAVAILABLE, SNAPSHOT_GONE -> false;
    };
  }

  /** Makes a committed log entry visible. Called by one thread. */
  void apply(LogEntry entry) {
    try (RecordCache.Writes writes = records.writes()) {
      for (LogEntry.ShardChange change : entry.shards()) {
        writes.take(change.batch(), change.shard());
      }
      synchronized (this) {
        if (meanwhile != null) {
          meanwhile.add(entry);
        }
        view =
            new View(
                entry.applyTo(view.memtable()), view.directory(), entry.number(), entry.stamp());
      }
      writes.commit(entry.number());
    }
  }

  /**
   * Removes from the memtable what a checkpoint has written to leaves. Commits go on while it is
   * searched for that.
   */
  void flushed(View base, Directory directory) {
    Memtable rest;
    synchronized (this) {
      rest = view.memtable();
      meanwhile = new ArrayList<>();
    }
    rest = rest.withoutThrough(base.stamp());
    synchronized (this) {
      for (LogEntry entry : Objects.requireNonNull(meanwhile)) {
        rest = entry.applyTo(rest);
      }
      meanwhile = null;
      view = new View(rest, directory, view.entry(), view.stamp());
    }
  }

  synchronized OpenSnapshot snapshot() {
    OpenSnapshot snapshot = new OpenSnapshot(view(), ticker.getAsLong());
    snapshots.add(snapshot);
    return snapshot;
  }

  synchronized void release(OpenSnapshot snapshot) {
    snapshot.released = true;
    snapshots.remove(snapshot);
  }

  /**
   * Returns what a checkpoint may write: the view of the oldest snapshot, or the current one. Gives
   * up snapshots that are too old, or that hold back too much.
   */
  synchronized View flushable() {
    boolean full = view.memtable().bytes() > limits.snapshotBytes();
    long now = ticker.getAsLong();
    snapshots.removeIf(
        snapshot -> {
          snapshot.gone = full || now - snapshot.openedNanos > limits.snapshotLife().toNanos();
          return snapshot.gone;
        });
    return snapshots.isEmpty() ? view : snapshots.iterator().next().view;
  }
}
