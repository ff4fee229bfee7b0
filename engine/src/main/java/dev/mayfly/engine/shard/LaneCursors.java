package dev.mayfly.engine.shard;

import dev.mayfly.engine.storage.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Start of the sweep on each lane of a shard, and detection of conflicting writes. Guarded by the
 * shard's lock.
 *
 * <p>Below its cursor a lane is empty, so the sweep does not scan what it has removed. A write at a
 * lower place moves the cursor back.
 */
public final class LaneCursors {
  private final Map<Integer, byte[]> low = new HashMap<>();
  private final Map<Integer, Long> fences = new HashMap<>();
  private final List<Probe> probes = new ArrayList<>();
  private long disturbances;
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

  public void moveTo(int lane, byte[] key) {
    low.put(lane, key);
  }

  void reset() {
    low.clear();
    probes.clear();
    fences.clear();
    disturbances++;
  }

  /** Records a lane entry that is written, and when it is due. */
  public void written(int lane, byte[] key, long place, long due) {
    byte[] cursor = low.get(lane);
    if (cursor != null && Arrays.compareUnsigned(key, cursor) < 0) {
      low.put(lane, key);
    }
    for (Probe probe : probes) {
      if (probe.lane == lane) {
        probe.written(key);
      }
    }
    disturb(lane, place);
    lowestDue = Math.min(lowestDue, due);
  }

  /** Records a lane entry that a write removes. */
  void left(int lane, long place) {
    disturb(lane, place);
  }

  private void disturb(int lane, long place) {
    Long fence = fences.get(lane);
    if (fence != null && place <= fence) {
      disturbances++;
    }
  }

  /** Returns the earliest due time written since the last call. */
  long takeLowestDue() {
    long due = lowestDue;
    lowestDue = Long.MAX_VALUE;
    return due;
  }

  /** Records that a write has removed a dead document before the sweep. */
  public void disturbed() {
    disturbances++;
  }

  /** Sets the place up to which the sweep reads a lane: writes there conflict with it. */
  public void fence(int lane, long place) {
    fences.merge(lane, place, Math::max);
  }

  /** Increases whenever something that the sweep may have read has changed. */
  public long disturbances() {
    return disturbances;
  }
}
