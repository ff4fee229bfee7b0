package dev.mayfly.engine.shard;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lane entries that a write group adds and removes. The {@link LaneCursors} learn of them after the
 * commit. Belongs to its group.
 */
final class LaneChanges {
  private final List<Change> changes = new ArrayList<>(2);
  private boolean conflict;

  /** One entry. */
  private static final class Change {
    final int lane;
    final byte @Nullable [] key;
    final long place;
    final long due;

    /**
     * @param key null if the entry is removed
     */
    Change(int lane, byte @Nullable [] key, long place, long due) {
      this.lane = lane;
      this.key = key;
      this.place = place;
      this.due = due;
    }

    void applyTo(LaneCursors lanes) {
      byte[] added = key;
      if (added == null) {
        lanes.removed(lane, place);
      } else {
        lanes.written(lane, added, place, due);
      }
    }
  }

  /** Records an entry that is added, and when its document expires. */
  void written(int lane, byte[] key, long place, long due) {
    changes.add(new Change(lane, key, place, due));
  }

  /** Records an entry that is removed. */
  void removed(int lane, long place) {
    changes.add(new Change(lane, null, place, Long.MAX_VALUE));
  }

  /** Records that the group removes an expired document before the sweep does. */
  void recordConflict() {
    conflict = true;
  }

  void applyTo(LaneCursors lanes) {
    for (int i = 0; i < changes.size(); i++) {
      changes.get(i).applyTo(lanes);
    }
    if (conflict) {
      lanes.recordConflict();
    }
  }
}
