package dev.mayfly.engine.sliding;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.catalog.SlidingLanes;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Header;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Touches of the documents of one shard that are not persisted, under one set of rules: the last
 * read of each document since its place was persisted. Safe for many threads.
 *
 * <p>All decisions about expiry use persisted places. They stay exact, because every operation
 * persists the touches that it needs before it decides: those of documents whose persisted deadline
 * it has reached ({@link #isDue}). A touch that comes too late for that is not granted: it is
 * registered first, and then the clock is read. If the clock has reached the persisted deadline,
 * another operation may have seen the document expired, so the touch is withdrawn. Otherwise every
 * operation that reads a later time finds the touch. This needs a clock that does not go back.
 */
public final class PendingTouches {
  /** Maximum number of touched documents; further touches are persisted at once. */
  static final int MAX_TOUCHES = 1 << 16;

  private final SlidingLanes lanes;
  private final LongSupplier clock;
  private final int most;
  private final ConcurrentHashMap<ByteKey, Touched> touches = new ConcurrentHashMap<>();

  /** Guards {@link #earliest}, not its readers. */
  private final Object order = new Object();

  /** No persisted deadline of a touched document is earlier. */
  private volatile long earliest = Deadline.NEVER;

  private volatile boolean closed;

  /** What became of a touch. */
  public enum Result {
    /** It is in memory, or has no effect. */
    KEPT,
    /** It is in memory, and should be persisted before the slack ends. */
    PERSIST_SOON,
    /** It is in memory, and must be persisted before the read ends. */
    PERSIST_NOW,
    /** Nothing is done: it would have to be persisted, and the caller must not wait. */
    WOULD_BLOCK,
    /** The deadline of this record has passed: nothing is done. */
    TOO_LATE,
    /** The rules are changing: nothing is done. */
    CLOSED
  }

  /** The touch of one document. Guarded by its monitor. */
  public static final class Touched {
    private final ByteKey key;
    private final long born;
    private long instant;

    /** Written under the monitor. */
    private volatile long deadline;

    private long slackEnd;
    private long soon;
    private boolean ended;

    private Touched(ByteKey key, SlidingLanes lanes, byte[] record, long instant) {
      this.key = key;
      this.born = Header.born(record, 0);
      this.instant = instant;
      persisted(lanes, record);
    }

    private void persisted(SlidingLanes lanes, byte[] record) {
      this.deadline = lanes.deadline(record);
      this.slackEnd = lanes.slackEnd(record);
      long use = lanes.lastUse(record);
      this.soon = use + (slackEnd - use) / 2;
    }

    /** The primary key of the document. */
    public byte[] key() {
      return key.array();
    }

    /** The sequence of the insert of the document. */
    public long born() {
      return born;
    }

    /** The last touch. */
    public synchronized long instant() {
      return instant;
    }

    private Result result() {
      return instant >= slackEnd
          ? Result.PERSIST_NOW
          : instant >= soon ? Result.PERSIST_SOON : Result.KEPT;
    }
  }

  /**
   * @param clock the time of the engine
   */
  public PendingTouches(SlidingLanes lanes, LongSupplier clock) {
    this(lanes, clock, MAX_TOUCHES);
  }

  PendingTouches(SlidingLanes lanes, LongSupplier clock, int most) {
    this.lanes = lanes;
    this.clock = clock;
    this.most = most;
  }

  /** Returns whether no document can be touched: no rule slides. */
  public boolean isOff() {
    return lanes.isEmpty();
  }

  /** The sliding lanes. */
  public SlidingLanes lanes() {
    return lanes;
  }

  /** The number of touched documents. */
  public int size() {
    return touches.size();
  }

  /** Returns whether an operation at an instant has to persist touches before it decides. */
  public boolean isDue(long now) {
    return now >= earliest;
  }

  /** No touch has to be persisted before this instant, by {@link #isDue}. */
  public long earliest() {
    return earliest;
  }

  /**
   * Touches a document that was read at an instant.
   *
   * @param record the record that was read, live at the instant
   * @param mayBlock whether the caller can persist the touch
   */
  public Result touch(ByteKey key, byte[] record, long instant, boolean mayBlock) {
    if (instant <= lanes.lastUse(record)) {
      return Result.KEPT;
    }
    while (true) {
      Touched known = touches.get(key);
      Result result =
          known == null
              ? register(new Touched(key, lanes, record, instant), mayBlock)
              : extend(known, record, instant, mayBlock);
      if (result != null) {
        return result;
      }
    }
  }

  /** Extends a known touch; null if it has ended meanwhile. */
  private @Nullable Result extend(Touched known, byte[] record, long instant, boolean mayBlock) {
    synchronized (known) {
      if (known.ended) {
        return null;
      }
      long born = Header.born(record, 0);
      if (known.born != born) {
        if (known.born > born) {
          return Result.KEPT;
        }
        end(known);
        return null;
      }
      if (instant >= known.slackEnd && !mayBlock) {
        return Result.WOULD_BLOCK;
      }
      boolean wasSoon = known.instant >= known.soon;
      known.instant = Math.max(known.instant, instant);
      Result result = known.result();
      return result == Result.PERSIST_SOON && wasSoon ? Result.KEPT : result;
    }
  }

  /** Registers a new touch; null if another one was registered meanwhile. */
  private @Nullable Result register(Touched fresh, boolean mayBlock) {
    // an operation that finds it before it is confirmed waits for the monitor
    synchronized (fresh) {
      boolean full = touches.size() >= most;
      if (!mayBlock && (full || fresh.instant >= fresh.slackEnd)) {
        return Result.WOULD_BLOCK;
      }
      if (touches.putIfAbsent(fresh.key, fresh) != null) {
        return null;
      }
      synchronized (order) {
        earliest = Math.min(earliest, fresh.deadline);
      }
      if (closed) {
        end(fresh);
        return Result.CLOSED;
      }
      if (clock.getAsLong() >= fresh.deadline) {
        end(fresh);
        return Result.TOO_LATE;
      }
      return full ? Result.PERSIST_NOW : fresh.result();
    }
  }

  private void end(Touched touched) {
    touched.ended = true;
    touches.remove(touched.key, touched);
  }

  /** Returns the touch of a document, if there is one. */
  public @Nullable Touched find(ByteKey key) {
    return touches.get(key);
  }

  /** Returns the touches of documents whose persisted deadline is not after an instant. */
  public List<Touched> dueAt(long instant) {
    List<Touched> due = new ArrayList<>();
    for (Touched touched : touches.values()) {
      synchronized (touched) {
        if (!touched.ended && touched.deadline <= instant) {
          due.add(touched);
        }
      }
    }
    return due;
  }

  /** Returns the touches that should be persisted soon, or whose deadline is near. */
  public List<Touched> soon(long instant) {
    List<Touched> soon = new ArrayList<>();
    for (Touched touched : touches.values()) {
      synchronized (touched) {
        if (!touched.ended && (touched.instant >= touched.soon || touched.deadline <= instant)) {
          soon.add(touched);
        }
      }
    }
    return soon;
  }

  /** Accepts no more touches, and returns those that are left. */
  public List<Touched> close() {
    closed = true;
    return dueAt(Deadline.NEVER);
  }

  /**
   * Records that a touch is persisted.
   *
   * @param instant the touch that is persisted; a later one stays
   * @param record the record with its places now; null if the document is gone
   */
  public void persisted(Touched touched, long instant, byte @Nullable [] record) {
    synchronized (touched) {
      if (touched.ended) {
        return;
      }
      if (record == null || touched.instant <= instant) {
        end(touched);
      } else {
        touched.persisted(lanes, record);
      }
    }
  }

  /** Finds the earliest deadline again, after touches were persisted. */
  public void reorder() {
    synchronized (order) {
      long first = Deadline.NEVER;
      for (Touched touched : touches.values()) {
        // without the monitor: a thread that has it may wait for this one
        first = Math.min(first, touched.deadline);
      }
      earliest = first;
    }
  }
}
