package dev.mayfly.engine.catalog;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Schedule;
import java.util.List;

/**
 * Compiled state of a collection: its schedule and lanes, computed once for all operations.
 * Immutable; a change of the collection publishes a new one while all its shards are locked.
 */
public final class CompiledCollection {
  private final CollectionState state;
  private final boolean paused;
  private final long since;
  private final Schedule schedule;
  private final List<Lane> kept;
  private final List<Lane> explicit;
  private final SlidingLanes sliding;

  /**
   * @param paused whether expiry is paused
   * @param since the sequence at which this state was published
   */
  public CompiledCollection(CollectionState state, boolean paused, long since) {
    this.state = state;
    this.since = since;
    this.paused = paused;
    this.schedule = paused ? Schedule.NONE : Rules.schedule(state);
    this.kept =
        state.lanes().stream()
            .filter(LaneState::kept)
            .map(
                lane -> {
                  long life = Rules.life(state, state.spec().timeToLive(), lane);
                  return Rules.lane(state, lane, Math.max(life, 0));
                })
            .toList();
    this.explicit = kept.stream().filter(lane -> lane.number() >= Lane.FIRST_EXPLICIT).toList();
    this.sliding = SlidingLanes.of(state, schedule);
  }

  public CollectionState state() {
    return state;
  }

  public CollectionSpec spec() {
    return state.spec();
  }

  /**
   * The sequence at which this state was published: transactions that began before use another
   * state.
   */
  public long since() {
    return since;
  }

  /** Returns whether expiry is paused. */
  public boolean paused() {
    return paused;
  }

  /** The lanes and watermarks of the current rules; none while expiry is paused. */
  public Schedule schedule() {
    return schedule;
  }

  /** All lanes that writes maintain, used by a rule or not. */
  public List<Lane> kept() {
    return kept;
  }

  /** The maintained lanes whose places are stored in headers. */
  public List<Lane> explicit() {
    return explicit;
  }

  /** The lanes of sliding rules; none while expiry is paused. */
  public SlidingLanes sliding() {
    return sliding;
  }

  /**
   * Returns whether index entries contain the time of the last write, because they are rewritten
   * with every write.
   */
  public boolean covers() {
    return state.coverSince() != Long.MAX_VALUE;
  }

  /** Returns whether a document with an invalid {@code ttl} is rejected. */
  public boolean checksTtl() {
    return state.spec().timeToLive().strict();
  }
}
