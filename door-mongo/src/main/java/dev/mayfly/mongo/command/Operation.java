package dev.mayfly.mongo.command;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A request while it runs: it may be stopped from outside, and has a time limit of its own.
 *
 * <p>Whatever loops over documents asks {@link #check} now and then. Safe for many threads.
 */
public final class Operation {
  private final long startedAt;
  private final LongSupplier ticker;
  private volatile long limitNanos = Long.MAX_VALUE;
  private volatile @Nullable ErrorCode stopped;

  /**
   * An operation that starts now.
   *
   * @param ticker nanoseconds that go on by themselves
   */
  public Operation(LongSupplier ticker) {
    this.ticker = ticker;
    this.startedAt = ticker.getAsLong();
  }

  /** An operation that nothing limits. */
  public static Operation unlimited() {
    return new Operation(() -> 0);
  }

  /** Has it stop when it has run for so long; 0 is no limit. */
  public void limit(long millis) {
    limitNanos = millis == 0 ? Long.MAX_VALUE : Math.multiplyExact(millis, 1_000_000);
  }

  /** Has it stop at its next check, for this reason. */
  public void stop(ErrorCode reason) {
    stopped = reason;
  }

  public long runningNanos() {
    return ticker.getAsLong() - startedAt;
  }

  /** Nanoseconds until its limit. */
  public long leftNanos() {
    long limit = limitNanos;
    return limit == Long.MAX_VALUE ? limit : limit - runningNanos();
  }

  /**
   * Goes on unless it is to stop.
   *
   * @throws CommandException with the reason
   */
  public void check() {
    ErrorCode reason = stopped;
    if (reason != null) {
      throw new CommandException(reason, "operation was interrupted");
    }
    if (leftNanos() <= 0) {
      throw new CommandException(ErrorCode.MAX_TIME_MS_EXPIRED, "operation exceeded time limit");
    }
  }
}
