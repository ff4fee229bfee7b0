package dev.mayfly.cluster;

import dev.mayfly.store.MemberRow;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Signs of life of other servers, as this one sees them. A server is silent if a while has passed
 * since its last new sign was first seen, by the monotonic clock of this server. For one thread.
 */
final class Sightings {
  /** How much longer than a lease the silence lasts after which cells are taken over. */
  static final Duration MARGIN = Duration.ofMillis(1500);

  private static final long NO_ROW = Long.MIN_VALUE;

  private final long silenceNanos;
  private Map<UUID, Sighting> seen = new HashMap<>();

  private record Sighting(long beat, long tick) {}

  Sightings(Duration lease) {
    this.silenceNanos = lease.plus(MARGIN).toNanos();
  }

  /**
   * Records what was read.
   *
   * @param owners servers that own cells, with or without a row
   * @param tick when the reading had ended
   */
  void update(Collection<MemberRow> rows, Set<UUID> owners, long tick) {
    Map<UUID, Sighting> now = new HashMap<>();
    for (MemberRow row : rows) {
      now.put(row.server(), sighting(row.server(), row.beat(), tick));
    }
    Set<UUID> without = new HashSet<>(owners);
    without.removeAll(now.keySet());
    for (UUID owner : without) {
      now.put(owner, sighting(owner, NO_ROW, tick));
    }
    seen = now;
  }

  private Sighting sighting(UUID server, long beat, long tick) {
    Sighting before = seen.get(server);
    return before != null && before.beat() == beat ? before : new Sighting(beat, tick);
  }

  /**
   * Returns whether a server has been silent for long enough that it serves nothing any more.
   *
   * @param tick when the last reading began
   */
  boolean isSilent(UUID server, long tick) {
    Sighting sighting = seen.get(server);
    return sighting != null && tick - sighting.tick() >= silenceNanos;
  }

  /** Returns for how long a silent server has been silent beyond the limit, in nanoseconds. */
  long silentFor(UUID server, long tick) {
    Sighting sighting = seen.get(server);
    return sighting == null ? 0 : tick - sighting.tick() - silenceNanos;
  }

  /** Returns the time since the last new sign of life of a server, in nanoseconds. */
  long age(UUID server, long tick) {
    Sighting sighting = seen.get(server);
    return sighting == null ? 0 : tick - sighting.tick();
  }
}
