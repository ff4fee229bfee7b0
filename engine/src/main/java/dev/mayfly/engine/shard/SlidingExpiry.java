package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.shard.KeyClaims.NeedsExclusiveLock;
import dev.mayfly.engine.sliding.PendingTouches;
import dev.mayfly.engine.sliding.PendingTouches.Touched;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Header;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sliding expiry of one shard: touches documents that are read, and persists touches. Safe for many
 * threads.
 *
 * <p>A touch moves a document to a later place, without a change of the document, its version or
 * the feed. Most touches stay in memory ({@link PendingTouches}). They are persisted:
 *
 * <ul>
 *   <li>before the read ends, if the touch is a slack or more after the persisted one, so that a
 *       crash shortens a life by less than the slack;
 *   <li>in groups by background work, from half of the slack on;
 *   <li>before an operation at an instant that reaches the persisted deadline ({@link #settle});
 *   <li>before the rules change, and when the shard is closed.
 * </ul>
 */
public final class SlidingExpiry {
  private static final System.Logger LOG = System.getLogger(SlidingExpiry.class.getName());

  /** Maximum number of touches in one commit. */
  private static final int MAX_GROUP = 512;

  /** How long before their deadlines touches are persisted together with others. */
  private static final long LEAD_MILLIS = 1000;

  /** How long background work waits for further touches. */
  private static final long SOON_MILLIS = 100;

  private final ShardOwner owner;

  /** Replaced when the rules change, under the shard's lock. */
  private volatile PendingTouches pending;

  /** When background work persists touches; {@link Deadline#NEVER} if all are persisted. */
  private volatile long workAt = Deadline.NEVER;

  SlidingExpiry(ShardOwner owner, CompiledCollection compiled) {
    this.owner = owner;
    this.pending = new PendingTouches(compiled.sliding(), owner::time);
  }

  /** Returns whether a rule slides. */
  public boolean isOn() {
    return !pending.isOff();
  }

  /** Returns whether each document that a query returns is touched. */
  public boolean byQuery() {
    return pending.lanes().byQuery();
  }

  /** The number of documents with a touch in memory. */
  public int pendingTouches() {
    return pending.size();
  }

  /** Returns whether an operation at an instant has to {@link #settle} first. */
  boolean isDue(long now) {
    return pending.isDue(now);
  }

  /**
   * Persists the touches on which decisions at an instant depend. Called before an operation reads
   * anything, and after its instant is read from the clock.
   *
   * @param mayBlock whether it may wait for the shard
   * @throws WouldBlock if it must not and would have to
   */
  public void settle(long now, boolean mayBlock) {
    if (pending.isDue(now)) {
      if (!mayBlock) {
        throw new WouldBlock();
      }
      persistDueAt(now);
    }
  }

  /** As {@link #settle(long, boolean)}, for a caller that may wait. */
  public void settle(long now) {
    settle(now, true);
  }

  /** Persists all touches that matter for decisions up to an instant, present or future. */
  public void persistDueAt(long instant) {
    if (pending.size() > 0 && pending.isDue(instant)) {
      owner.lock().lock();
      try {
        settleInLock(instant);
      } finally {
        owner.lock().unlock();
      }
    }
  }

  /** As {@link #persistDueAt}. The caller holds the lock. */
  void settleInLock(long now) {
    PendingTouches touches = pending;
    while (touches.isDue(now)) {
      boolean far = now > Deadline.NEVER - LEAD_MILLIS;
      persistInLock(touches, touches.dueAt(far ? now : now + LEAD_MILLIS));
      touches.reorder();
      if (now == Deadline.NEVER) {
        // touches of the present continue to arrive
        return;
      }
    }
  }

  /** Persists the touch of one document. */
  public void persist(byte[] primaryKey) {
    PendingTouches touches = pending;
    Touched touched = touches.find(new ByteKey(primaryKey));
    if (touched != null) {
      persistNow(touches, touched);
    }
  }

  /**
   * Persists touches in the background: those that are half of the slack after the persisted ones,
   * and those of documents whose persisted deadlines are near.
   */
  public void work() {
    PendingTouches touches = pending;
    long now = owner.time();
    if (now < nextWork()) {
      return;
    }
    workAt = Deadline.NEVER;
    List<Touched> soon = touches.soon(now + LEAD_MILLIS);
    for (int from = 0; from < soon.size(); from += MAX_GROUP) {
      persistShared(touches, soon.subList(from, Math.min(from + MAX_GROUP, soon.size())));
    }
    touches.reorder();
  }

  /** When background work has something to do; {@link Deadline#NEVER} if it has not. */
  public long nextWork() {
    long first = pending.earliest();
    return Math.min(workAt, first == Deadline.NEVER ? first : first - LEAD_MILLIS);
  }

  /**
   * Touches a document that was read.
   *
   * @param record the record that was read, live at the instant
   * @param instant of the read
   * @param mayBlock whether the touch may be persisted
   * @return false if the rules have changed: the caller reads again
   * @throws WouldBlock if the touch has to be persisted and must not be
   */
  public boolean touch(byte[] primaryKey, byte[] record, long instant, boolean mayBlock) {
    ByteKey key = new ByteKey(primaryKey);
    byte[] read = record;
    while (true) {
      PendingTouches touches = pending;
      if (touches.isOff()) {
        return true;
      }
      switch (touches.touch(key, read, instant, mayBlock)) {
        case KEPT -> {
          return true;
        }
        case PERSIST_SOON -> {
          wake();
          return true;
        }
        case PERSIST_NOW -> {
          Touched touched = touches.find(key);
          if (touched != null) {
            persistForRead(touches, touched);
          }
          return true;
        }
        case WOULD_BLOCK -> throw new WouldBlock();
        case TOO_LATE -> {
          if (!mayBlock) {
            throw new WouldBlock();
          }
          byte[] again = owner.record(primaryKey);
          if (again == null || Header.sequence(again, 0) == Header.sequence(read, 0)) {
            return true;
          }
          // another thread has persisted a touch since
          read = again;
        }
        case CLOSED -> {
          if (!mayBlock) {
            throw new WouldBlock();
          }
          awaitRules();
          return owner.closed();
        }
      }
    }
  }

  /** Returns a document with the deadline that its touch in memory gives it. */
  StoredDocument exact(StoredDocument stored, byte[] primaryKey, byte[] record) {
    PendingTouches touches = pending;
    Touched touched = touches.find(new ByteKey(primaryKey));
    if (touched == null || touched.born() != stored.birth()) {
      return stored;
    }
    return new StoredDocument(
        stored.document(),
        stored.version(),
        stored.birth(),
        stored.writtenAt(),
        touches.lanes().deadline(record, touched.instant()));
  }

  private void wake() {
    if (workAt == Deadline.NEVER) {
      workAt = owner.time() + SOON_MILLIS;
      owner.workDue(workAt);
    }
  }

  /** Waits for a rule change in progress. */
  private void awaitRules() {
    owner.lock().lockWithoutRecovery();
    owner.lock().unlock();
  }

  /** Persists a touch for a read. The read succeeds even if that fails: the touch is in memory. */
  private void persistForRead(PendingTouches touches, Touched touched) {
    try {
      persistNow(touches, touched);
    } catch (RuntimeException failed) {
      LOG.log(System.Logger.Level.WARNING, "a touch was not persisted", failed);
    }
  }

  private void persistNow(PendingTouches touches, Touched touched) {
    persistShared(touches, List.of(touched));
  }

  /** Persists touches beside other writes, at most {@link #MAX_GROUP}. */
  private void persistShared(PendingTouches touches, List<Touched> some) {
    List<Persisted> persisted = new ArrayList<>(some.size());
    try (SharedGroup shared = owner.sharedGroup(List.of(), owner.time())) {
      slide(shared.group(), touches, some, persisted);
      owner.commitShared(shared, List.of(), true);
    } catch (NeedsExclusiveLock needed) {
      owner.lock().lock();
      try {
        persistInLock(touches, some);
      } finally {
        owner.lock().unlock();
      }
      return;
    }
    persisted.forEach(one -> one.record(touches));
  }

  private void persistInLock(PendingTouches touches, List<Touched> some) {
    for (int from = 0; from < some.size(); from += MAX_GROUP) {
      WriteGroup group = owner.groupOfTouches(owner.time());
      List<Persisted> persisted = new ArrayList<>();
      slide(group, touches, some.subList(from, Math.min(from + MAX_GROUP, some.size())), persisted);
      if (!group.batch().isEmpty()) {
        owner.commit(group);
      }
      persisted.forEach(one -> one.record(touches));
    }
  }

  /** A touch in a group, until the group is committed. */
  private static final class Persisted {
    private final Touched touched;
    private final long instant;
    private final byte @Nullable [] record;

    Persisted(Touched touched, long instant, byte @Nullable [] record) {
      this.touched = touched;
      this.instant = instant;
      this.record = record;
    }

    void record(PendingTouches touches) {
      touches.persisted(touched, instant, record);
    }
  }

  private void slide(
      WriteGroup group, PendingTouches touches, List<Touched> some, List<Persisted> persisted) {
    // after a change of the rules all touches are persisted, and none is of these rules
    if (touches == pending) {
      for (Touched touched : some) {
        long instant = touched.instant();
        byte[] record = group.slide(touched.key(), touched.born(), instant);
        persisted.add(new Persisted(touched, instant, record));
      }
    }
  }

  /** Persists all touches before the rules change. The caller holds the lock. */
  void close() {
    PendingTouches touches = pending;
    if (!touches.isOff()) {
      List<Touched> left = touches.close();
      try {
        persistInLock(touches, left);
      } catch (RuntimeException failed) {
        LOG.log(System.Logger.Level.WARNING, "touches were not persisted", failed);
      }
    }
  }

  /** Starts again with other rules. The caller holds the lock and has closed this. */
  void open(CompiledCollection next) {
    pending = new PendingTouches(next.sliding(), owner::time);
  }
}
