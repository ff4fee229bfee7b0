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
 * Time of an engine: the wall clock, checked against the monotonic clock, so that a wrong wall
 * clock cannot delete documents.
 *
 * <p>While both clocks agree within a bound, there is one time, which never goes back. When the
 * wall clock leaps, there are two times. {@link #now} is the later one: reads and writes use it.
 * {@link #confirmed} is the earlier one: the sweep and everything else that deletes data use it.
 * The leap ends when the clocks agree again, when a leap forward has lasted long enough, or when an
 * operator confirms the wall clock.
 *
 * <p>At a start, the wall clock is compared with the last time that was stored. A manual clock is
 * always trusted. All times are epoch milliseconds. Safe for many threads; takes no lock unless a
 * leap begins or ends.
 */
final class EngineTime {
  private static final System.Logger LOG = System.getLogger(EngineTime.class.getName());
  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * Interval after which the comparison of the clocks starts again, because their rates differ
   * slightly.
   */
  private static final long COMPARED_NANOS = 3_600_000_000_000L;

  private final Clock wall;
  private final LongSupplier ticker;
  private final ClockLimits limits;
  private final Alarms alarms;
  private final boolean trusted;

  /** The latest time that is confirmed. */
  private final AtomicLong latest;

  private volatile State state;

  /**
   * Reference point of the comparison.
   *
   * @param time the time when the monotonic clock was at {@code nanos}
   * @param leap the leap in doubt; null if the clocks agree
   */
  private record State(long time, long nanos, @Nullable Leap leap) {
    /** Returns the time by the monotonic clock. */
    long at(long tick) {
      return time + (tick - nanos) / NANOS_PER_MILLI;
    }
  }

  /**
   * A leap that is not confirmed.
   *
   * @param latest the latest result of {@link #now} since it began
   */
  private record Leap(long millis, long sinceNanos, AtomicLong latest) {}

  /**
   * @param kept the time that an earlier process has stored
   */
  EngineTime(
      Clock wall, LongSupplier ticker, ClockLimits limits, Alarms alarms, OptionalLong kept) {
    this.wall = wall;
    this.ticker = ticker;
    this.limits = limits;
    this.alarms = alarms;
    this.trusted = wall.isManual() || limits.leapMillis() == 0;
    long now = wall.now();
    long before = wall.isManual() ? now : kept.orElse(now);
    boolean leapt = isLeap(now - before);
    this.latest = new AtomicLong(leapt ? before : Math.max(now, before));
    this.state = new State(leapt ? before : now, ticker.getAsLong(), null);
    now();
  }

  /** The time that operations use. It goes back only if a leap forward is revoked. */
  long now() {
    long time = wall.now();
    if (trusted) {
      return later(latest, time);
    }
    long tick = ticker.getAsLong();
    State current = state;
    if (!isValid(current, time, tick)) {
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

  /** The time that deletions use: never later than {@link #now}, and earlier during a leap. */
  long confirmed() {
    now();
    return latest.get();
  }

  /** The latest confirmed time that was read from the clock; does not read it again. */
  long latestConfirmed() {
    return latest.get();
  }

  /** The time to store for the next start: without a leap that is in doubt. */
  long continued() {
    now();
    State current = state;
    return current.leap() == null
        ? latest.get()
        : Math.max(latest.get(), current.at(ticker.getAsLong()));
  }

  /** The leap of the wall clock that is in doubt, if there is one. */
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

  /** Trusts the current wall clock, on the request of an operator. */
  synchronized void confirm() {
    state = trust(wall.now(), ticker.getAsLong());
  }

  private static long later(AtomicLong known, long time) {
    // mostly no change: a volatile read is cheaper than a write
    return known.get() >= time ? known.get() : known.accumulateAndGet(time, Math::max);
  }

  private boolean isLeap(long difference) {
    return !trusted && Math.abs(difference) > limits.leapMillis();
  }

  /** Returns whether the state is still valid for a reading of both clocks. */
  private boolean isValid(State current, long time, long tick) {
    long difference = time - current.at(tick);
    Leap leap = current.leap();
    if (leap == null) {
      return !isLeap(difference) && tick - current.nanos() < COMPARED_NANOS;
    }
    return isLeap(difference)
        && !isLeap(difference - leap.millis())
        && !lastedLongEnough(leap, tick);
  }

  private boolean lastedLongEnough(Leap leap, long tick) {
    return leap.millis() > 0
        && (tick - leap.sinceNanos()) / NANOS_PER_MILLI >= limits.confirmMillis(leap.millis());
  }

  private State reconsider(State current, long time, long tick) {
    long difference = time - current.at(tick);
    Leap leap = current.leap();
    if (!isLeap(difference)) {
      alarms.clear(Kind.CLOCK, "");
      return new State(time, tick, null);
    }
    if (leap == null || isLeap(difference - leap.millis())) {
      raise(current, difference, time);
      return new State(
          current.time(),
          current.nanos(),
          new Leap(difference, tick, new AtomicLong(Long.MIN_VALUE)));
    }
    return lastedLongEnough(leap, tick) ? trust(time, tick) : current;
  }

  private State trust(long time, long tick) {
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
                ? "; it was set forward, or no server used this data meanwhile."
                : "; it was set back.");
    String then =
        leap > 0
            ? " Documents that are expired by this clock are hidden. They are deleted once the"
                + " clock is confirmed: in "
                + Duration.ofMillis(limits.confirmMillis(leap))
                + ", or by 'mayfly clock confirm'."
            : " Time continues from the previous time, and nothing is deleted until the clock is"
                + " right again, or confirmed by 'mayfly clock confirm'. After that, documents that"
                + " have expired since may be visible again.";
    alarms.raise(Kind.CLOCK, "", Severity.WARNING, time, clock + then);
  }
}
