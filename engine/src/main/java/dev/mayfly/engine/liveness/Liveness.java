package dev.mayfly.engine.liveness;

import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * Liveness predicate of a shard at one instant: the only place that decides whether a stored
 * document is live. A document is dead if the rules or a watermark expire it ({@link Cutoffs}), or
 * if the sweep has passed it within a place that is swept in part ({@link SweptLanes}), or if it
 * follows a parent that is dead ({@link ParentLookup}). Immutable, but for what a look-up
 * remembers.
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
  private final @Nullable ParentLookup parents;

  /** Supplies the primary key of a record; called only if a place is swept in part. */
  public interface KeySource {
    byte[] primaryKey();
  }

  private Liveness(
      Schedule schedule, SweptLanes sweptLanes, long now, @Nullable ParentLookup parents) {
    this.schedule = schedule;
    this.sweptLanes = sweptLanes;
    this.now = now;
    this.cutoffs = schedule.at(now);
    this.parents = parents;
  }

  /**
   * Returns the predicate for one instant.
   *
   * @param schedule with the marks of the swept lanes
   */
  public static Liveness at(Schedule schedule, SweptLanes sweptLanes, long now) {
    return new Liveness(schedule, sweptLanes, now, null);
  }

  /** As {@link #at(Schedule, SweptLanes, long)}, of documents that follow parents. */
  public static Liveness at(
      Schedule schedule, SweptLanes sweptLanes, long now, @Nullable ParentLookup parents) {
    return new Liveness(schedule, sweptLanes, now, parents);
  }

  /** Returns whether a record is live under its primary key. */
  public boolean isLive(byte[] record, byte[] primaryKey) {
    return isLiveByItself(record, primaryKey) && followsTheLiving(record);
  }

  /** As {@link #isLive(byte[], byte[])}, whatever its parent is. Allocates nothing. */
  public boolean isLiveByItself(byte[] record, byte[] primaryKey) {
    return !cutoffs.expired(record) && !sweptLanes.inPart(record, primaryKey);
  }

  /** Returns whether the parent of a record is not dead. */
  private boolean followsTheLiving(byte[] record) {
    return parents == null || parents.fate(record).state() != ParentLookup.State.DEAD;
  }

  /** As {@link #isLive(byte[], byte[])}, for callers that have to fetch the key. */
  public boolean isLive(byte[] record, KeySource key) {
    return !cutoffs.expired(record)
        && !(sweptLanes.hasParts() && sweptLanes.inPart(record, key.primaryKey()))
        && followsTheLiving(record);
  }

  /** Returns whether {@link #isLive} depends on the primary key: some place is swept in part. */
  public boolean needsKeys() {
    return sweptLanes.hasParts();
  }

  /** The look-up of parents; null if the documents follow none. */
  public @Nullable ParentLookup parents() {
    return parents;
  }

  /** The rules and marks at this instant, without places that are swept in part. */
  public Cutoffs cutoffs() {
    return cutoffs;
  }

  /** Returns whether this is the predicate of these rules, and of these keys of parents. */
  @SuppressWarnings("ReferenceEquality") // the same schedule, lanes and keys, not equal ones
  public boolean isOf(
      Schedule ofSchedule, SweptLanes ofLanes, @Nullable ParentKeys keys, long instant) {
    return now == instant
        && schedule == ofSchedule
        && sweptLanes == ofLanes
        && (parents == null ? null : parents.keys()) == keys;
  }
}
