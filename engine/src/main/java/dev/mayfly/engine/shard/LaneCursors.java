package dev.mayfly.engine.shard;

import dev.mayfly.engine.storage.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cursors of the sweep: where each lane of a shard begins. They also detect writes that conflict
 * with a sweep in progress. Guarded by the shard's lock.
 *
 * <p>A lane has no entry below its cursor, so the sweep does not scan the tombstones of entries
 * that it has deleted. A write at a lower place moves the cursor back.
 */
public final class LaneCursors {
  private final Map<Integer, byte[]> low = new HashMap<>();
  private final Map<Integer, byte[]> evicted = new HashMap<>();
  private final Map<Integer, Long> fences = new HashMap<>();
  private final List<Probe> probes = new ArrayList<>();
  private long conflicts;
  private long lowestDue = Long.MAX_VALUE;

  /** A search, without the lock, for the first entry of a lane. */
  public static final class Probe {
    private final int lane;
    private final byte[] from;
    private byte @Nullable [] written;

    private Probe(int lane, byte[] from) {
      this.lane = lane;
      this.from = from;
    }

    /** The key from which to search. */
    public byte[] from() {
      return from;
    }

    private void written(byte[] key) {
      if (written == null || Arrays.compareUnsigned(key, written) < 0) {
        written = key;
      }
    }
  }

  /** Starts a search for the first entry of a lane; {@link #found} ends it. */
  public Probe probe(int lane) {
    Probe probe = new Probe(lane, low(lane));
    probes.add(probe);
    return probe;
  }

  /**
   * Ends a search: the lane starts at the key found, or at a lower key that was written since.
   *
   * @param first nothing was stored before it when the search started
   */
  public void found(Probe probe, byte[] first) {
    byte[] written = probe.written;
    boolean earlier = written != null && Arrays.compareUnsigned(written, first) < 0;
    byte[] key = earlier ? written : first;
    if (probes.remove(probe) && Arrays.compareUnsigned(key, low(probe.lane)) > 0) {
      low.put(probe.lane, key);
    }
  }

  /** The lowest key at which a lane may hold an entry. */
  public byte[] low(int lane) {
    byte[] cursor = low.get(lane);
    return cursor == null ? Layout.lanePrefix(lane) : cursor;
  }

  /** Moves the cursor of a lane: no entry is left below the key. */
  public void moveTo(int lane, byte[] key) {
    assert isInLane(lane, key);
    low.put(lane, key);
  }

  /** The lowest key at which a lane may hold an entry of a live document, as far as known. */
  byte[] firstLive(int lane) {
    byte[] cursor = evicted.get(lane);
    return cursor == null ? low(lane) : cursor;
  }

  /** Records that all live documents of a lane below a key are evicted. */
  void evictedTo(int lane, byte[] key) {
    assert isInLane(lane, key);
    evicted.put(lane, key);
  }

  /** Forgets which documents are evicted, because other documents may be live now. */
  void forgetEvicted() {
    evicted.clear();
  }

  private static boolean isInLane(int lane, byte[] key) {
    return Arrays.compareUnsigned(key, Layout.lanePrefix(lane)) >= 0
        && Arrays.compareUnsigned(key, Layout.laneEnd(lane)) <= 0;
  }

  void reset() {
    low.clear();
    evicted.clear();
    probes.clear();
    fences.clear();
    conflicts++;
  }

  /**
   * Records a lane entry that is written.
   *
   * @param due when its document is due for the sweep, in epoch milliseconds
   */
  public void written(int lane, byte[] key, long place, long due) {
    assert Layout.place(key) == place;
    changed(lane, key, place);
    lowestDue = Math.min(lowestDue, due);
  }

  /**
   * Records the lane entries of a group.
   *
   * @param lowest the lowest key that is written; null if none is
   * @param place the lowest place at which an entry is written or removed
   */
  void changed(int lane, byte @Nullable [] lowest, long place) {
    if (lowest != null) {
      assert isInLane(lane, lowest);
      byte[] cursor = low.get(lane);
      if (cursor != null && Arrays.compareUnsigned(lowest, cursor) < 0) {
        low.put(lane, lowest);
      }
      byte[] live = evicted.isEmpty() ? null : evicted.get(lane);
      if (live != null && Arrays.compareUnsigned(lowest, live) < 0) {
        evicted.put(lane, lowest);
      }
      for (int i = 0; i < probes.size(); i++) {
        if (probes.get(i).lane == lane) {
          probes.get(i).written(lowest);
        }
      }
    }
    checkFence(lane, place);
  }

  private void checkFence(int lane, long place) {
    Long fence = fences.get(lane);
    if (fence != null && place <= fence) {
      conflicts++;
    }
  }

  /** Returns the earliest due time written since the last call. */
  long takeLowestDue() {
    long due = lowestDue;
    lowestDue = Long.MAX_VALUE;
    return due;
  }

  /** Records that a write has removed an expired document before the sweep. */
  public void recordConflict() {
    conflicts++;
  }

  /** Sets the place up to which the sweep reads a lane: writes there conflict with it. */
  public void fence(int lane, long place) {
    fences.merge(lane, place, Math::max);
  }

  /** The number of writes so far that changed something the sweep may have read. */
  public long conflicts() {
    return conflicts;
  }
}
