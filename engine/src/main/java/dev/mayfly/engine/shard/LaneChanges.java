package dev.mayfly.engine.shard;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Lane entries that a write group adds and removes, summed up for each lane. The {@link
 * LaneCursors} learn of them after the commit. Belongs to its group.
 */
final class LaneChanges {
  private LaneChange[] lanes = {};
  private boolean conflict;
  private long lowestDue = Long.MAX_VALUE;

  /** The changes of one lane. */
  private static final class LaneChange {
    private final int lane;

    /** The lowest key of an entry that is added; null if none is. */
    private byte @Nullable [] lowest;

    /** The lowest place of an entry that is added or removed. */
    private long place;

    LaneChange(int lane, long place) {
      this.lane = lane;
      this.place = place;
    }
  }

  /** Records an entry that is added, and when its document expires. */
  void written(int lane, byte[] key, long place, long due) {
    LaneChange change = changed(lane, place);
    byte[] before = change.lowest;
    if (before == null || Arrays.compareUnsigned(key, before) < 0) {
      change.lowest = key;
    }
    lowestDue = Math.min(lowestDue, due);
  }

  /** Records an entry that is removed. */
  void removed(int lane, long place) {
    changed(lane, place);
  }

  private LaneChange changed(int lane, long place) {
    for (LaneChange known : lanes) {
      if (known.lane == lane) {
        known.place = Math.min(known.place, place);
        return known;
      }
    }
    LaneChange fresh = new LaneChange(lane, place);
    lanes = Arrays.copyOf(lanes, lanes.length + 1);
    lanes[lanes.length - 1] = fresh;
    return fresh;
  }

  /** Records that the group removes an expired document before the sweep does. */
  void recordConflict() {
    conflict = true;
  }

  /** Reports the changes; returns when the first of the added documents is due for the sweep. */
  long applyTo(LaneCursors cursors) {
    for (LaneChange change : lanes) {
      cursors.changed(change.lane, change.lowest, change.place);
    }
    if (conflict) {
      cursors.recordConflict();
    }
    return lowestDue;
  }
}
