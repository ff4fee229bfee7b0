package dev.mayfly.engine.shard;

import dev.mayfly.engine.storage.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the sweep of a shard starts on each lane, and what disturbs it. Guarded by the shard's
 * lock.
 *
 * <p>Below its cursor a lane holds nothing: the sweep need not walk over what it has removed. A
 * write whose place lies behind moves the cursor back.
 */
public final class LaneCursors {
  private final Map<Integer, byte[]> low = new HashMap<>();
  private final Map<Integer, Long> fences = new HashMap<>();
  private final List<Probe> probes = new ArrayList<>();
  private long disturbances;
  private long lowestDue = Long.MAX_VALUE;

  /** A look, without the lock, for where a lane begins. */
  public static final class Probe {
    private final int lane;
    private final byte[] from;
    private byte @Nullable [] written;

    private Probe(int lane, byte[] from) {
      this.lane = lane;
      this.from = from;
    }

    /** Where to look from. */
    public byte[] from() {
      return from;
    }

    private void written(byte[] key) {
      if (written == null || Arrays.compareUnsigned(key, written) < 0) {
        written = key;
      }
    }
  }

  /** Begins to look for the first entry of a lane; {@link #found} ends it. */
  public Probe probe(int lane) {
    Probe probe = new Probe(lane, low(lane));
    probes.add(probe);
    return probe;
  }

  /**
   * Ends a probe: the lane begins there, or where something was written since.
   *
   * @param first nothing lay before it when the probe began
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

  /** Notes a lane entry that is being written, and when it will be due. */
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

  /** Notes a lane entry that is being removed by a write. */
  void left(int lane, long place) {
    disturb(lane, place);
  }

  private void disturb(int lane, long place) {
    Long fence = fences.get(lane);
    if (fence != null && place <= fence) {
      disturbances++;
    }
  }

  /** The earliest due time written since this was last asked. */
  long takeLowestDue() {
    long due = lowestDue;
    lowestDue = Long.MAX_VALUE;
    return due;
  }

  /** Notes that a dead document was taken away from the sweep. */
  public void disturbed() {
    disturbances++;
  }

  /** Up to which place of a lane the sweep is looking: writes there disturb it. */
  public void fence(int lane, long place) {
    fences.merge(lane, place, Math::max);
  }

  /** Grows whenever what the sweep may have seen has changed. */
  public long disturbances() {
    return disturbances;
  }
}
