package dev.mayfly.cluster;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Time in which a server owns a cell, under one term of its lease: admits operations and counts
 * those in progress. Safe for many threads; admission takes no lock.
 */
final class Tenure {
  private static final long STOPPED = 1L << 62;
  private static final long DRAIN_POLL_NANOS = 1_000_000;

  private final int cell;
  private final long epoch;
  private final long term;
  private final Lease lease;

  /** Operations in progress, and {@link #STOPPED} while none is admitted: before its start, too. */
  private final AtomicLong operations = new AtomicLong(STOPPED);

  private volatile boolean ended;

  Tenure(int cell, long epoch, long term, Lease lease) {
    this.cell = cell;
    this.epoch = epoch;
    this.term = term;
    this.lease = lease;
  }

  long epoch() {
    return epoch;
  }

  /** Begins to admit operations, unless it has ended. */
  synchronized void start() {
    if (!ended) {
      operations.set(0);
    }
  }

  /**
   * Admits an operation.
   *
   * @throws MovedException if the lease has ended, or no operation is admitted any more
   */
  Admission admit() {
    if (!lease.holds(term)) {
      throw new MovedException(cell);
    }
    if (operations.incrementAndGet() >= STOPPED) {
      operations.decrementAndGet();
      throw new MovedException(cell);
    }
    return new Admitted();
  }

  /** Returns whether this server certainly owns the cell. */
  boolean isValid() {
    return !ended && lease.holds(term);
  }

  /** Returns whether operations are admitted, as far as this server knows. */
  boolean isServing() {
    return operations.get() < STOPPED && isValid();
  }

  /** Admits no further operation. */
  void stop() {
    operations.getAndUpdate(count -> count >= STOPPED ? count : count + STOPPED);
  }

  /** Waits until the operations in progress have ended, for a while. Call it after the stop. */
  void drain(long millis, LongSupplier ticker, LongConsumer pause) {
    long end = ticker.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (operations.get() != STOPPED && ticker.getAsLong() - end < 0) {
      pause.accept(DRAIN_POLL_NANOS);
    }
  }

  /** Ends it: what is still in progress may no longer answer. */
  synchronized void end() {
    stop();
    ended = true;
  }

  private final class Admitted implements Admission {
    private boolean closed;

    @Override
    public boolean isValid() {
      return Tenure.this.isValid();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        operations.decrementAndGet();
      }
    }
  }
}
