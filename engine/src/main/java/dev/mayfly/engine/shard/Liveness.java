package dev.mayfly.engine.shard;

import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Schedule;

/**
 * Liveness predicate of a shard at one instant: the only place that decides whether a stored
 * document is live. A document is dead if the rules or a watermark expire it ({@link Cutoffs}), or
 * if the sweep has passed it within a place that is swept in part ({@link SweptLanes}). Immutable.
 *
 * <pre>{@code
 * Liveness liveness = owner.liveness(now);
 * byte[] record = reader.read(Space.RECORDS, key);
 * boolean found = record != null && liveness.isLive(record, key);
 * }</pre>
 */
public final class Liveness {
  private final Schedule schedule;
  private final SweptLanes sweptLanes;
  private final long now;
  private final Cutoffs cutoffs;

  /** Supplies the primary key of a record; called only if a place is swept in part. */
  public interface KeySource {
    byte[] primaryKey();
  }

  private Liveness(Schedule schedule, SweptLanes sweptLanes, long now) {
    this.schedule = schedule;
    this.sweptLanes = sweptLanes;
    this.now = now;
    this.cutoffs = schedule.at(now);
  }

  /**
   * Returns the predicate for one instant.
   *
   * @param schedule with the marks of the swept lanes
   */
  public static Liveness at(Schedule schedule, SweptLanes sweptLanes, long now) {
    return new Liveness(schedule, sweptLanes, now);
  }

  /** Returns whether a record is live under its primary key. Allocates nothing. */
  public boolean isLive(byte[] record, byte[] primaryKey) {
    return !cutoffs.expired(record) && !sweptLanes.inPart(record, primaryKey);
  }

  /** As {@link #isLive(byte[], byte[])}, for callers that have to fetch the key. */
  public boolean isLive(byte[] record, KeySource key) {
    return !cutoffs.expired(record)
        && !(sweptLanes.hasParts() && sweptLanes.inPart(record, key.primaryKey()));
  }

  /** Returns whether {@link #isLive} depends on the primary key: some place is swept in part. */
  public boolean needsKeys() {
    return sweptLanes.hasParts();
  }

  /** The rules and marks at this instant, without places that are swept in part. */
  public Cutoffs cutoffs() {
    return cutoffs;
  }

  @SuppressWarnings("ReferenceEquality") // the same schedule and lanes, not equal ones
  boolean isOf(Schedule ofSchedule, SweptLanes ofLanes, long instant) {
    return now == instant && schedule == ofSchedule && sweptLanes == ofLanes;
  }
}
