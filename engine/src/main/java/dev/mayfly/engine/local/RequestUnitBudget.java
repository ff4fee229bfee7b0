package dev.mayfly.engine.local;

import dev.mayfly.engine.Charge;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;

/**
 * The request units of a collection: so many per second, not saved up for longer than a second.
 *
 * <p>What an operation costs is known afterwards, so one may overdraw; the next then waits until
 * the account is settled. Who is sent away after another is told to come back after it: else all
 * would come at once, and most of them in vain.
 */
final class RequestUnitBudget {
  private static final double MILLIS = 1000;

  private double perSecond;
  private double left;
  private long at;

  /** What the last operation has cost: about what one takes that was sent away. */
  private double usual = Charge.MISS;

  /** What those will take who were sent away and are not due yet. */
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

  /** Refuses an operation while the account is overdrawn. */
  synchronized void check(long now) {
    if (perSecond == 0) {
      return;
    }
    refill(now);
    if (left <= 0) {
      double settled = Math.max(-left, Math.min(expected - left, perSecond));
      long wait = (long) Math.ceil(settled / perSecond * MILLIS) + 1;
      expected += usual;
      throw new EngineException(Reason.THROTTLED, "request units of this second used up", wait);
    }
  }

  /** Takes what an operation has cost. */
  synchronized void take(double units) {
    left -= units;
    usual = units;
  }

  /** The share of this second's units that is left, for those who use only what is left over. */
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
      // the clock has taken a leap back
      at = now;
    }
  }
}
