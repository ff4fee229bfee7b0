package dev.mayfly.engine.shard;

import dev.mayfly.engine.catalog.Sequence;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/**
 * Positions of the writes of one shard that are in progress, and the position through which all are
 * committed. Groups commit in any order; readers of the feed stop at that position, so they never
 * see a change before an earlier one.
 *
 * <pre>{@code
 * Entry entry = positions.begin();   // before the group takes its first position
 * ... decide and commit ...
 * positions.end(entry, lastPositionOfTheGroup);
 * }</pre>
 *
 * Safe for many threads.
 */
final class CommittedPositions {
  private static final long POLL_NANOS = 20_000;

  private final Sequence sequence;

  /** In the order of {@link Entry#first}. Guarded by this object. */
  private final Deque<Entry> open = new ArrayDeque<>();

  /** The highest position of a group that has ended. Guarded by this object. */
  private long highest;

  private volatile long through;

  /** Feed entries since the totals were stored. Guarded by this object. */
  private int entries;

  /** A group in progress: all its positions are at or above the first one. */
  static final class Entry {
    private long first;

    /** Written by the thread that has the group, under the monitor. */
    private boolean ended;

    private Entry() {}
  }

  CommittedPositions(Sequence sequence) {
    this.sequence = sequence;
  }

  /** Starts again from what is stored. No group is in progress. */
  synchronized void restore(long last) {
    assert open.isEmpty();
    highest = last;
    through = last;
  }

  /** Registers a group that has not taken a position yet. */
  Entry begin() {
    Entry entry = new Entry();
    synchronized (this) {
      long start = HeldTime.start();
      entry.first = sequence.peek();
      open.addLast(entry);
      HeldTime.end(HeldTime.Section.ORDER, start);
    }
    return entry;
  }

  /**
   * Ends a group.
   *
   * @param last its highest position; -1 if it has committed no change
   * @return the position through which all changes are committed
   */
  synchronized long end(Entry entry, long last) {
    assert !entry.ended;
    entry.ended = true;
    highest = Math.max(highest, last);
    while (!open.isEmpty() && open.getFirst().ended) {
      open.removeFirst();
    }
    long limit = open.isEmpty() ? Long.MAX_VALUE : open.getFirst().first - 1;
    through = Math.max(through, Math.min(highest, limit));
    return through;
  }

  /**
   * Records a group that was not registered, because no other group was in progress.
   *
   * @param last as in {@link #end}
   */
  synchronized long add(long last) {
    assert open.isEmpty();
    highest = Math.max(highest, last);
    through = Math.max(through, highest);
    return through;
  }

  /** Ends a group that has committed nothing, unless it was ended. */
  void abandon(Entry entry) {
    if (!entry.ended) {
      synchronized (this) {
        long start = HeldTime.start();
        end(entry, -1);
        HeldTime.end(HeldTime.Section.ORDER, start);
      }
    }
  }

  /** Returns whether no group is in progress: all positions through the last one are committed. */
  synchronized boolean isAtRest() {
    return open.isEmpty();
  }

  /** Adds to the number of feed entries since the last checkpoint, and returns it. */
  synchronized int addEntries(int more) {
    entries += more;
    return entries;
  }

  /** Records that the totals were stored, and the number of feed entries since. */
  synchronized void checkpointed(int since) {
    entries = since;
  }

  /** Feed entries since the last checkpoint of the totals. */
  synchronized int entries() {
    return entries;
  }

  /** The position through which all changes are committed. */
  long through() {
    return through;
  }

  /** Waits until all groups that are in progress now have ended. */
  void awaitOpen() {
    long next = sequence.peek();
    while (isOpenBelow(next)) {
      LockSupport.parkNanos(this, POLL_NANOS);
    }
  }

  private synchronized boolean isOpenBelow(long next) {
    return !open.isEmpty() && open.getFirst().first < next;
  }
}
