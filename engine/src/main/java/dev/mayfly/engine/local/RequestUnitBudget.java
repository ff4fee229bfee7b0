package dev.mayfly.engine.local;

import dev.mayfly.engine.Charge;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;

/**
 * Token bucket with the request units of a collection: it is filled at a rate per second and holds
 * the units of one second. Safe for many threads; without a limit it takes no lock and writes
 * nothing, so that operations on different cores share nothing here.
 *
 * <p>The cost of an operation is known after it, so the balance may become negative. Further
 * operations then fail with THROTTLED and a time after which to retry. This time is later for each
 * operation that fails, so that not all of them retry at once.
 */
final class RequestUnitBudget {
  private static final double MILLIS = 1000;

  /** 0 if there is no limit. Changed under the monitor. */
  private volatile double perSecond;

  private double left;
  private long at;

  /** Cost of the last operation, as an estimate for throttled ones. */
  private double usual = Charge.MISS;

  /** Estimated cost of the throttled operations that have not retried yet. */
  private double expected;

  RequestUnitBudget(double perSecond, long now) {
    this.perSecond = perSecond;
    this.left = perSecond;
    this.at = now;
  }

  synchronized void change(double unitsPerSecond, long now) {
    refill(now);
    left = perSecond == 0 ? unitsPerSecond : Math.min(left, unitsPerSecond);
    perSecond = unitsPerSecond;
  }

  /**
   * Rejects an operation while no units are left.
   *
   * @throws EngineException THROTTLED, with the milliseconds after which to retry
   */
  void check(long now) {
    if (perSecond != 0) {
      checkLimit(now);
    }
  }

  private synchronized void checkLimit(long now) {
    refill(now);
    if (left <= 0 && perSecond != 0) {
      double settled = Math.max(-left, Math.min(expected - left, perSecond));
      long wait = (long) Math.ceil(settled / perSecond * MILLIS) + 1;
      expected += usual;
      throw new EngineException(
          Reason.THROTTLED, "the request units of this second are used up", wait);
    }
  }

  /** Subtracts the cost of an operation. */
  void take(double units) {
    if (perSecond != 0) {
      synchronized (this) {
        left -= units;
        usual = units;
      }
    }
  }

  /**
   * The unused share of the units, between 0 and 1, for the sweep, which uses only unused units.
   */
  synchronized double leftOver(long now) {
    if (perSecond == 0) {
      return 1;
    }
    refill(now);
    return Math.clamp(left / perSecond, 0, 1);
  }

  private void refill(long now) {
    if (now > at) {
      double fresh = (now - at) * perSecond / MILLIS;
      left = Math.min(perSecond, left + fresh);
      expected = Math.max(0, expected - fresh);
      at = now;
    } else if (now < at - MILLIS) {
      // the clock was set back
      at = now;
    }
  }
}
