package dev.mayfly.cluster;

import dev.mayfly.store.StoreException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Thread that does something at intervals, counted from start to start. Failures are logged. */
final class PeriodicTask implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PeriodicTask.class.getName());

  private final Runnable task;
  private final long nanos;
  private final LongSupplier ticker;
  private final Thread thread;
  private volatile boolean closed;

  PeriodicTask(String name, Duration interval, LongSupplier ticker, Runnable task) {
    this.task = task;
    this.nanos = interval.toNanos();
    this.ticker = ticker;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!closed) {
      long next = ticker.getAsLong() + nanos;
      try {
        task.run();
      } catch (StoreException unavailable) {
        LOG.log(
            System.Logger.Level.WARNING, "{0}: {1}", thread.getName(), unavailable.getMessage());
      } catch (RuntimeException | Error failure) {
        LOG.log(System.Logger.Level.ERROR, thread.getName() + " failed and goes on", failure);
      }
      for (long left = next - ticker.getAsLong();
          left > 0 && !closed;
          left = next - ticker.getAsLong()) {
        LockSupport.parkNanos(this, left);
      }
    }
  }

  /** Ends it. Does not wait for a run in progress. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
