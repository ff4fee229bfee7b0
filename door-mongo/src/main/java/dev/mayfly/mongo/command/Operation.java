package dev.mayfly.mongo.command;

import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.OperationContext;
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
 * Context of one running operation: its instant, time limit, interruption, pending writes and
 * statistics.
 *
 * <p>Code that loops over documents calls {@link #check} now and then. Example: {@code
 * operation.limit(50)} makes {@code check()} fail with MaxTimeMSExpired after 50 ms.
 *
 * <p>Other threads may call {@link #stop}; the statistics belong to the thread that runs it.
 */
public final class Operation implements OperationContext {
  /** How long it runs between two checks whether its client is still connected. */
  private static final long LOOK_NANOS = 100_000_000;

  /** How long an operation that writes uses its instant. */
  private static final long MAX_WRITE_AGE_NANOS = 1_000_000_000;

  private final long startedAt;
  private final LongSupplier clock;
  private final LongSupplier ticker;
  private final Optional<PendingCommit> pending;
  private volatile long limitNanos = Long.MAX_VALUE;
  private volatile @Nullable ErrorCode stopped;
  private volatile boolean waitsForLock;

  // used only by the thread that runs the operation

  private long now;

  /** When it read the clock: the monotonic time at {@link #now}. */
  private long readAt;

  private BooleanSupplier gone = () -> false;

  private long nextLook = LOOK_NANOS;

  private @Nullable Supplier<Explanation> search;

  /** Keys and documents that queries before the last one examined. */
  private long keysExamined;

  private long documentsExamined;

  private long waitedNanos;

  /** The number of documents it returned; empty or negative if it returns none. */
  private long returned = -1;

  /**
   * An operation that starts now.
   *
   * @param clock the time of the engine in epoch milliseconds: read once, now
   * @param ticker monotonic nanoseconds
   * @param pending collects the writes of an operation that must not block; empty for one that may
   */
  public Operation(LongSupplier clock, LongSupplier ticker, Optional<PendingCommit> pending) {
    this(clock, ticker, pending, ticker.getAsLong());
  }

  private Operation(
      LongSupplier clock, LongSupplier ticker, Optional<PendingCommit> pending, long startedAt) {
    this.clock = clock;
    this.pending = pending;
    this.ticker = ticker;
    this.startedAt = startedAt;
    this.readAt = ticker.getAsLong();
    this.now = clock.getAsLong();
  }

  /** Returns its repetition from the beginning: at a new instant, within the same time limit. */
  public Operation repeated() {
    return new Operation(clock, ticker, pending, startedAt);
  }

  /** An operation without a time limit, at an instant. */
  public static Operation unlimited(long now) {
    return new Operation(() -> now, () -> 0, Optional.empty());
  }

  /**
   * The instant of the operation in epoch milliseconds: expiry, {@code $$NOW}, the time in
   * generated ids, and the time in what it reports. It does not change while the operation runs,
   * unless it waits or writes for longer than a second.
   */
  @Override
  public long now() {
    return now;
  }

  @Override
  public long renew() {
    readAt = ticker.getAsLong();
    now = clock.getAsLong();
    return now;
  }

  /**
   * Renews an operation that has used its instant for long and is about to write: a document that
   * has expired meanwhile must not be written as if it were live.
   */
  public void renewIfOld() {
    if (ticker.getAsLong() - readAt >= MAX_WRITE_AGE_NANOS) {
      renew();
    }
  }

  @Override
  public Optional<PendingCommit> pending() {
    return pending;
  }

  /** Whether it waits for the write lock. */
  public boolean isWaitingForLock() {
    return waitsForLock;
  }

  /** Records whether it waits for the write lock. */
  public void waitsForLock(boolean waits) {
    waitsForLock = waits;
  }

  /** Sets the time limit; 0 is no limit. */
  public void limit(long millis) {
    limitNanos = millis == 0 ? Long.MAX_VALUE : Math.multiplyExact(millis, 1_000_000);
  }

  /**
   * Stops the operation if its client disconnects.
   *
   * @param client returns whether the client has closed the connection
   */
  public void waitedForBy(BooleanSupplier client) {
    gone = client;
  }

  /** Stops it at its next check, for this reason. */
  public void stop(ErrorCode reason) {
    stopped = reason;
  }

  /** Records a query, whose explanation is available at any time. */
  public void searches(Supplier<Explanation> query) {
    search()
        .ifPresent(
            before -> {
              keysExamined = before.keysExamined();
              documentsExamined = before.documentsExamined();
            });
    search = query;
  }

  /** The plan of the last query, with what all queries examined; empty if there was none. */
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

  /** Records the number of returned documents. */
  public void returns(long documents) {
    returned = documents;
  }

  /** The number of documents it returned; empty or negative if it returns none. */
  public OptionalLong returned() {
    return returned < 0 ? OptionalLong.empty() : OptionalLong.of(returned);
  }

  /**
   * Waits for data that the client wants to wait for. The operation goes on at a new instant.
   *
   * @return the result of the wait
   */
  public boolean waits(BooleanSupplier wait) {
    long began = ticker.getAsLong();
    try {
      return wait.getAsBoolean();
    } finally {
      waitedNanos += ticker.getAsLong() - began;
      renew();
    }
  }

  /** How long it has been running, without the time it waited on request. */
  public long workingNanos() {
    return runningNanos() - waitedNanos;
  }

  public long runningNanos() {
    return ticker.getAsLong() - startedAt;
  }

  /** Nanoseconds until its time limit. */
  public long leftNanos() {
    long limit = limitNanos;
    return limit == Long.MAX_VALUE ? limit : limit - runningNanos();
  }

  /**
   * As {@link #check}, after many steps of work: an operation that must not block and has written
   * nothing gives up, so that a worker can run it.
   *
   * @throws WouldBlock if it does
   */
  public void checkAfterSteps() {
    if (pending.isPresent() && pending.get().isEmpty()) {
      throw new WouldBlock();
    }
    check();
  }

  /**
   * Fails if the operation was stopped, has exceeded its time limit, or lost its client.
   *
   * @throws CommandException with the reason
   */
  @Override
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
