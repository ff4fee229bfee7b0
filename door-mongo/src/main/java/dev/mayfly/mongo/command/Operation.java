package dev.mayfly.mongo.command;

import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request while it runs: it may be stopped from outside, and has a time limit of its own.
 *
 * <p>Whatever loops over documents asks {@link #check} now and then. Safe for many threads.
 */
public final class Operation {
  /** How long it runs between two looks at whether its client is still there. */
  private static final long LOOK_NANOS = 100_000_000;

  private final long now;
  private final long startedAt;
  private final LongSupplier ticker;
  private final Optional<PendingCommit> pending;
  private volatile long limitNanos = Long.MAX_VALUE;
  private volatile @Nullable ErrorCode stopped;
  private volatile boolean waitsForLock;

  // what follows is of the thread that runs it alone

  private BooleanSupplier gone = () -> false;

  private long nextLook = LOOK_NANOS;

  private @Nullable Supplier<Explanation> search;

  /** What the queries before the last one looked at. */
  private long keysExamined;

  private long documentsExamined;

  private long waitedNanos;

  /** How many documents it gave out; negative for what gives out none. */
  private long returned = -1;

  /**
   * An operation that starts now.
   *
   * @param now epoch milliseconds, read once from the wall clock
   * @param ticker monotonic nanoseconds
   * @param pending collects the writes of an operation that must not block; empty for one that may
   */
  public Operation(long now, LongSupplier ticker, Optional<PendingCommit> pending) {
    this.now = now;
    this.pending = pending;
    this.ticker = ticker;
    this.startedAt = ticker.getAsLong();
  }

  /** An operation without a time limit, at an instant. */
  public static Operation unlimited(long now) {
    return new Operation(now, () -> 0, Optional.empty());
  }

  /**
   * The instant of the operation in epoch milliseconds: {@code $$NOW}, the time in generated ids,
   * and the time in what it reports. It does not change while the operation runs.
   */
  public long now() {
    return now;
  }

  /** Collects the writes of an operation that must not block; empty for one that may. */
  public Optional<PendingCommit> pending() {
    return pending;
  }

  /** Whether the write lock holds it up. */
  public boolean isWaitingForLock() {
    return waitsForLock;
  }

  /** Records whether the write lock holds it up. */
  public void waitsForLock(boolean waits) {
    waitsForLock = waits;
  }

  /**
   * Goes on unless it must not wait.
   *
   * @throws WouldBlock when it must not
   */
  public void mayWait() {
    if (pending.isPresent()) {
      throw new WouldBlock();
    }
  }

  /** Has it stop when it has run for so long; 0 is no limit. */
  public void limit(long millis) {
    limitNanos = millis == 0 ? Long.MAX_VALUE : Math.multiplyExact(millis, 1_000_000);
  }

  /**
   * Has it stop when nobody waits for its reply any more.
   *
   * @param client tells whether the client has closed the connection
   */
  public void waitedForBy(BooleanSupplier client) {
    gone = client;
  }

  /** Has it stop at its next check, for this reason. */
  public void stop(ErrorCode reason) {
    stopped = reason;
  }

  /** Takes note of a query, which can tell at any time how it goes. */
  public void searches(Supplier<Explanation> query) {
    search()
        .ifPresent(
            before -> {
              keysExamined = before.keysExamined();
              documentsExamined = before.documentsExamined();
            });
    search = query;
  }

  /** The way of the last query, with what all queries looked at; empty when there was none. */
  public Optional<Explanation> search() {
    Supplier<Explanation> last = search;
    if (last == null) {
      return Optional.empty();
    }
    Explanation way = last.get();
    return Optional.of(
        new Explanation(
            way.access(),
            way.sorts(),
            keysExamined + way.keysExamined(),
            documentsExamined + way.documentsExamined(),
            way.documentsMatched()));
  }

  /** Takes note of how many documents it gives out. */
  public void returns(long documents) {
    returned = documents;
  }

  /** How many documents it gave out; empty for what gives out none. */
  public OptionalLong returned() {
    return returned < 0 ? OptionalLong.empty() : OptionalLong.of(returned);
  }

  /**
   * Waits for something to come that the client asked to wait for.
   *
   * @return what the wait has returned
   */
  public boolean waits(BooleanSupplier wait) {
    long began = ticker.getAsLong();
    try {
      return wait.getAsBoolean();
    } finally {
      waitedNanos += ticker.getAsLong() - began;
    }
  }

  /** How long it runs, without what it waited because it was asked to. */
  public long workingNanos() {
    return runningNanos() - waitedNanos;
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
   * As {@link #check}, asked after many steps of work: a request that must not wait is not brief
   * then, and is left to who may wait, as long as it has written nothing.
   *
   * @throws WouldBlock when it is
   */
  public void checkAfterSteps() {
    if (pending.isPresent() && pending.get().isEmpty()) {
      throw new WouldBlock();
    }
    check();
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
    if (pending.isEmpty() && runningNanos() >= nextLook) {
      nextLook = runningNanos() + LOOK_NANOS;
      if (gone.getAsBoolean()) {
        throw new CommandException(ErrorCode.CLIENT_DISCONNECT, "the client has disconnected");
      }
    }
  }
}
