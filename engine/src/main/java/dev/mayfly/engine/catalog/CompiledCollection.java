package dev.mayfly.engine.catalog;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Schedule;
import java.util.List;

/**
 * The state of a collection made ready for use: what every operation reads. Immutable; a change of
 * the collection publishes a new one while all its shards are locked.
 */
public final class CompiledCollection {
  private final CollectionState state;
  private final boolean paused;
  private final long since;
  private final Schedule schedule;
  private final List<Lane> kept;
  private final List<Lane> explicit;

  /**
   * @param paused whether nothing expires at present, whatever the rules say
   * @param since the sequence from which this counts
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
                  return new Lane(
                      lane.number(), Math.max(life, 0), lane.since(), Rules.places(state, lane));
                })
            .toList();
    this.explicit = kept.stream().filter(lane -> lane.number() >= Lane.FIRST_EXPLICIT).toList();
  }

  public CollectionState state() {
    return state;
  }

  public CollectionSpec spec() {
    return state.spec();
  }

  /** The sequence from which this counts: transactions that began before know another state. */
  public long since() {
    return since;
  }

  /** Whether nothing expires at present. */
  public boolean paused() {
    return paused;
  }

  /** Lanes and watermarks that count. */
  public Schedule schedule() {
    return schedule;
  }

  /** Every lane that writes keep up, whether it counts now or not. */
  public List<Lane> kept() {
    return kept;
  }

  /** Those of them whose places headers spell out. */
  public List<Lane> explicit() {
    return explicit;
  }

  /** Whether index entries are rewritten with every write of their document. */
  public boolean covers() {
    return state.coverSince() != Long.MAX_VALUE;
  }

  /** Whether a document with an invalid ttl of its own is refused. */
  public boolean checksTtl() {
    return state.spec().timeToLive().strict();
  }
}
