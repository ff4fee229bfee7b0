package dev.mayfly.engine.sweep;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.shard.DeadRuns;
import dev.mayfly.engine.shard.ExpiryZones;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import java.util.Objects;
import java.util.Optional;

/**
 * Cleanup of unused entries of a shard: runs of dead entries that slow down scans, dropped indexes,
 * and lanes without a rule. Used by one thread at a time.
 */
public final class StaleEntryCleanup {
  private final ShardOwner owner;

  public StaleEntryCleanup(ShardOwner owner) {
    this.owner = owner;
  }

  /**
   * Deletes a part of a run of dead entries that a reader has reported, if one has; or remembers it
   * for other readers, if it is not swept yet. Returns whether the run goes on.
   *
   * @param budget how many entries to delete or to remember at most
   */
  public boolean clearDeadRun(long now, int budget) {
    Optional<DeadRuns.Run> reported = owner.deadRuns().take();
    if (reported.isEmpty()) {
      return false;
    }
    DeadRuns.Run run = reported.get();
    owner.lock().lock();
    try {
      owner.deadRuns().watch(run.space());
    } finally {
      owner.lock().unlock();
    }
    return clearDeadRun(run, now, budget);
  }

  private boolean clearDeadRun(DeadRuns.Run run, long now, int budget) {
    Cutoffs swept = owner.sweptLanes().cutoffs();
    byte[] first = run.from().array();
    byte[] last = first;
    int seen = 0;
    boolean up = run.direction() == Direction.UP;
    Range rest = up ? Range.from(first) : Range.to(Layout.after(first));
    try (Scan scan = owner.shard().scan(run.space(), rest, run.direction())) {
      while (seen < budget && scan.next() && swept.judge(scan.value(), 0) == Verdict.EXPIRED) {
        last = scan.key();
        seen++;
      }
    }
    if (seen < DeadRuns.REPORTED / 2) {
      return remember(run, now, budget);
    }
    Range dead = up ? Range.of(first, Layout.after(last)) : Range.of(last, Layout.after(first));
    boolean cleared = delete(run.space(), dead, seen);
    boolean more = cleared && seen == budget;
    if (more) {
      owner.deadRuns().again(new DeadRuns.Run(run.space(), new ByteKey(last), run.direction()));
    }
    return more;
  }

  /** Adds a zone for the entries of a run that have expired, whether they are swept or not. */
  private boolean remember(DeadRuns.Run run, long now, int budget) {
    CompiledCollection compiled = owner.compiled();
    Cutoffs expired = owner.cutoffs(now);
    ExpiryZones.Latest latest = new ExpiryZones.Latest(compiled);
    byte[] first = run.from().array();
    byte[] last = first;
    int seen = 0;
    try (Scan scan = owner.shard().scan(run.space(), rest(run), run.direction())) {
      while (seen < budget && scan.next()) {
        byte[] entry = scan.value();
        if (expired.judge(entry, 0) != Verdict.EXPIRED) {
          break;
        }
        latest.add(entry);
        last = scan.key();
        seen++;
      }
    }
    boolean up = run.direction() == Direction.UP;
    byte[] from = up ? first : last;
    byte[] to = Layout.after(up ? last : first);
    owner.lock().lock();
    try {
      boolean remembered =
          owner.deadRuns().untouched(Range.of(from, to))
              && !owner.inDoubt()
              && seen >= DeadRuns.REPORTED / 2
              && owner.compiled() == compiled
              && owner.zones().remember(run.space(), from, to, latest, expired);
      boolean more = remembered && seen == budget;
      if (more) {
        owner.deadRuns().again(new DeadRuns.Run(run.space(), new ByteKey(last), run.direction()));
      }
      return more;
    } finally {
      owner.lock().unlock();
    }
  }

  /** The records, or the entries of the same index, from the start of a run on. */
  private static Range rest(DeadRuns.Run run) {
    byte[] first = run.from().array();
    boolean up = run.direction() == Direction.UP;
    if (run.space() == Space.RECORDS) {
      return up ? Range.from(first) : Range.to(Layout.after(first));
    }
    byte[] prefix = Layout.indexPrefix(Layout.indexOf(first, 0));
    return up
        ? Range.of(first, Objects.requireNonNull(Range.prefix(prefix).to()))
        : Range.of(prefix, Layout.after(first));
  }

  /** Deletes a range of dead entries if it is long enough and nothing was written to it. */
  private boolean delete(Space space, Range dead, int count) {
    owner.lock().lock();
    try {
      boolean untouched =
          owner.deadRuns().untouched(dead) && !owner.inDoubt() && count >= DeadRuns.REPORTED / 2;
      if (untouched) {
        owner.shard().commit(new Batch().deleteRange(space, dead));
      }
      return untouched;
    } finally {
      owner.lock().unlock();
    }
  }

  /** Deletes the entries of an index that was dropped. */
  public void clearIndex(int index) {
    owner.lock().lock();
    try {
      byte[] from = Layout.indexPrefix(index);
      Batch batch = new Batch().deleteRange(Space.ENTRIES, Range.prefix(from));
      batch.delete(Space.META, Layout.arrays(index));
      batch.delete(Space.META, ShardBuild.Target.index(index).progressKey());
      owner.shard().commit(batch);
    } finally {
      owner.lock().unlock();
    }
  }

  /** Deletes the entries of a lane that writes no longer maintain. */
  public void clearLane(int lane) {
    owner.lock().lock();
    try {
      owner.clearLane(lane);
    } finally {
      owner.lock().unlock();
    }
  }

  /** Deletes the entries and marks of a removed lane, unless its number is in use again. */
  public void clearLaneWithMarks(int lane) {
    owner.lock().lock();
    try {
      if (!owner.compiled().state().hasLane(lane)) {
        owner.clearLaneWithMarks(lane);
      }
    } finally {
      owner.lock().unlock();
    }
  }
}
