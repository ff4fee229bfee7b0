package dev.mayfly.engine.local;

import dev.mayfly.engine.Alarm.Kind;
import dev.mayfly.engine.Alarm.Severity;
import dev.mayfly.engine.Alarms;
import dev.mayfly.engine.ClockLeap;
import dev.mayfly.engine.ClockLimits;
import dev.mayfly.expiry.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time of an engine: the wall clock, compared with the monotonic clock, so that no single
 * reading of a clock can delete anything.
 *
 * <p>As long as both clocks agree within a bound there is one time, which never goes back. When the
 * wall clock leaps away from the monotonic one there are two: {@link #now} is the later of them, by
 * which documents are hidden and written, and {@link #confirmed} the earlier, by which anything is
 * removed for good. The leap is over when the clocks agree again, when a leap forward has lasted
 * for long enough, or when an operator confirms the wall clock.
 *
 * <p>A restart compares the wall clock with the latest time that was kept. A clock that is moved by
 * hand is always believed. Safe for many threads; takes no lock unless a leap begins or ends.
 */
final class EngineTime {
  private static final System.Logger LOG = System.getLogger(EngineTime.class.getName());
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** After so long the clocks are compared anew: their rates differ a little. */
  private static final long COMPARED_NANOS = 3_600_000_000_000L;

  private final Clock wall;
  private final LongSupplier ticker;
  private final ClockLimits limits;
  private final Alarms alarms;
  private final boolean believed;

  /** The latest time that is confirmed. */
  private final AtomicLong latest;

  private volatile State state;

  /**
   * What the clocks are compared by.
   *
   * @param time what time it was when the monotonic clock stood at {@code nanos}
   */
  private record State(long time, long nanos, @Nullable Leap leap) {
    /** What time it is by the monotonic clock. */
    long at(long tick) {
      return time + (tick - nanos) / NANOS_PER_MILLI;
    }
  }

  /**
   * A leap that is not confirmed.
   *
   * @param latest the latest time that was given out since
   */
  private record Leap(long millis, long sinceNanos, AtomicLong latest) {}

  /**
   * @param kept the latest confirmed time that an earlier process has kept
   */
  EngineTime(
      Clock wall, LongSupplier ticker, ClockLimits limits, Alarms alarms, OptionalLong kept) {
    this.wall = wall;
    this.ticker = ticker;
    this.limits = limits;
    this.alarms = alarms;
    this.believed = wall.movedByHand() || limits.leapMillis() == 0;
    long now = wall.now();
    long before = wall.movedByHand() ? now : kept.orElse(now);
    boolean leapt = leaps(now - before);
    this.latest = new AtomicLong(leapt ? before : Math.max(now, before));
    this.state = new State(leapt ? before : now, ticker.getAsLong(), null);
    now();
  }

  /** The time all operations go by. It goes back only when a leap turns out to be none. */
  long now() {
    long time = wall.now();
    if (believed) {
      return later(latest, time);
    }
    long tick = ticker.getAsLong();
    State current = state;
    if (!holds(current, time, tick)) {
      synchronized (this) {
        time = wall.now();
        tick = ticker.getAsLong();
        current = reconsider(state, time, tick);
        state = current;
      }
    }
    Leap leap = current.leap();
    if (leap == null) {
      return later(latest, time);
    }
    long other = current.at(tick);
    long confirmed = later(latest, Math.min(time, other));
    return later(leap.latest(), Math.max(confirmed, Math.max(time, other)));
  }

  /** The latest time that is beyond doubt: for all that removes for good. It never goes ahead. */
  long confirmed() {
    now();
    return latest.get();
  }

  /** The time without a leap that is in doubt: where the next start goes on from. */
  long continued() {
    now();
    State current = state;
    return current.leap() == null
        ? latest.get()
        : Math.max(latest.get(), current.at(ticker.getAsLong()));
  }

  /** The leap of the wall clock that is not confirmed, if there is one. */
  Optional<ClockLeap> leap() {
    now();
    Leap leap = state.leap();
    if (leap == null) {
      return Optional.empty();
    }
    long passed = (ticker.getAsLong() - leap.sinceNanos()) / NANOS_PER_MILLI;
    long left = leap.millis() < 0 ? -1 : Math.max(limits.confirmMillis(leap.millis()) - passed, 0);
    return Optional.of(new ClockLeap(leap.millis(), left));
  }

  /** Believes the wall clock as it is now, whatever was before. */
  synchronized void confirm() {
    state = believe(wall.now(), ticker.getAsLong());
  }

  private static long later(AtomicLong known, long time) {
    // most find it known: a look is cheaper than a write that all processors see
    return known.get() >= time ? known.get() : known.accumulateAndGet(time, Math::max);
  }

  private boolean leaps(long difference) {
    return !believed && Math.abs(difference) > limits.leapMillis();
  }

  /** Whether what is known of the clocks still holds at a reading of both. */
  private boolean holds(State current, long time, long tick) {
    long difference = time - current.at(tick);
    Leap leap = current.leap();
    if (leap == null) {
      return !leaps(difference) && tick - current.nanos() < COMPARED_NANOS;
    }
    return leaps(difference) && !leaps(difference - leap.millis()) && !lastedLongEnough(leap, tick);
  }

  private boolean lastedLongEnough(Leap leap, long tick) {
    return leap.millis() > 0
        && (tick - leap.sinceNanos()) / NANOS_PER_MILLI >= limits.confirmMillis(leap.millis());
  }

  private State reconsider(State current, long time, long tick) {
    long difference = time - current.at(tick);
    Leap leap = current.leap();
    if (!leaps(difference)) {
      alarms.clear(Kind.CLOCK, "");
      return new State(time, tick, null);
    }
    if (leap == null || leaps(difference - leap.millis())) {
      raise(current, difference, time);
      return new State(
          current.time(),
          current.nanos(),
          new Leap(difference, tick, new AtomicLong(Long.MIN_VALUE)));
    }
    return lastedLongEnough(leap, tick) ? believe(time, tick) : current;
  }

  private State believe(long time, long tick) {
    LOG.log(System.Logger.Level.INFO, "the clock is confirmed at {0}", Instant.ofEpochMilli(time));
    alarms.clear(Kind.CLOCK, "");
    latest.set(time);
    return new State(time, tick, null);
  }

  private void raise(State before, long leap, long time) {
    String clock =
        "the system clock is at "
            + Instant.ofEpochMilli(time)
            + ", "
            + Duration.ofMillis(Math.abs(leap))
            + (leap > 0 ? " ahead of" : " behind")
            + " the time counted since "
            + Instant.ofEpochMilli(before.time())
            + (leap > 0
                ? "; it has been set, or this data was not in use for so long."
                : "; it has been set back.");
    String then =
        leap > 0
            ? " What it says is expired is hidden, and removed once it is confirmed: in "
                + Duration.ofMillis(limits.confirmMillis(leap))
                + ", or by 'mayfly clock confirm'."
            : " Time goes on from where it was, and no more is removed until the clock is right"
                + " again, or confirmed by 'mayfly clock confirm': what has expired since can then"
                + " come back.";
    alarms.raise(Kind.CLOCK, "", Severity.WARNING, time, clock + then);
  }
}
