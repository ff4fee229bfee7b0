package dev.mayfly.cluster;

import dev.mayfly.store.ReferenceClock;
import dev.mayfly.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Compares the system clock with those of other machines. The clocks vote, this one included: the
 * median of their differences to this clock is its skew, so one wrong clock among three is found,
 * and harms nobody else. For one thread; its results are safe for many.
 */
final class ClockSkew {
  private static final System.Logger LOG = System.getLogger(ClockSkew.class.getName());
  private static final Duration WARNING = Duration.ofMillis(250);

  private final ClusterClock clock;
  private final LongSupplier ticker;
  private final long maxSkewMillis;
  private volatile Result result = new Result(0, Map.of());

  /**
   * Result of a comparison.
   *
   * @param behindMillis how far this clock is behind the others; negative if it is ahead
   * @param others difference of each other clock to this one, in milliseconds, by name
   */
  private record Result(long behindMillis, Map<String, Long> others) {}

  ClockSkew(ClusterClock clock, LongSupplier ticker, Duration maxSkew) {
    this.clock = clock;
    this.ticker = ticker;
    this.maxSkewMillis = maxSkew.toMillis();
  }

  /** Compares the clocks. Blocks for as long as they take to answer. */
  void measure(List<ReferenceClock> references) {
    if (clock.isManual()) {
      return;
    }
    Map<String, Long> others = new HashMap<>();
    for (ReferenceClock reference : references) {
      read(reference).ifPresent(difference -> others.put(reference.name(), difference));
    }
    List<Long> votes = new ArrayList<>(others.values());
    votes.add(0L);
    result = new Result(median(votes), Map.copyOf(others));
    if (others.isEmpty()) {
      clock.unverifiable();
    } else if (!isTooLarge()) {
      clock.verified();
    }
    if (Math.abs(result.behindMillis) > WARNING.toMillis()) {
      LOG.log(
          System.Logger.Level.WARNING, "the system clock {0}; check its synchronization", text());
    }
  }

  private OptionalLong read(ReferenceClock reference) {
    long before = clock.systemTime();
    long start = ticker.getAsLong();
    try {
      long time = reference.read();
      long roundTrip = TimeUnit.NANOSECONDS.toMillis(ticker.getAsLong() - start);
      if (roundTrip > maxSkewMillis) {
        return OptionalLong.empty();
      }
      return OptionalLong.of(time - (before + roundTrip / 2));
    } catch (StoreException | PeerException unavailable) {
      return OptionalLong.empty();
    }
  }

  /** Returns the middle one, of two middle ones the smaller difference. */
  static long median(List<Long> differences) {
    List<Long> sorted = new ArrayList<>(differences);
    Collections.sort(sorted);
    long low = sorted.get((sorted.size() - 1) / 2);
    long high = sorted.get(sorted.size() / 2);
    return Math.abs(low) <= Math.abs(high) ? low : high;
  }

  /** Returns whether this clock is too wrong to serve cells. */
  boolean isTooLarge() {
    return Math.abs(result.behindMillis) > maxSkewMillis;
  }

  /** Returns the difference of another clock to this one, if it was measured. */
  OptionalLong of(String name) {
    Long difference = result.others.get(name);
    return difference == null ? OptionalLong.empty() : OptionalLong.of(difference);
  }

  /** Describes the skew: "is 700 ms behind those of 3 other machines". */
  String text() {
    Result now = result;
    return "is "
        + Math.abs(now.behindMillis)
        + " ms "
        + (now.behindMillis > 0 ? "behind" : "ahead of")
        + " those of "
        + now.others.size()
        + " other machines";
  }
}
