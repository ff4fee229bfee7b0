package dev.mayfly.mongo;

import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Runs short tasks twice a second in its own thread, until it is closed. */
final class PeriodicTasks implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PeriodicTasks.class.getName());
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final List<Runnable> tasks;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private boolean closed;

  private PeriodicTasks(List<Runnable> tasks) {
    this.tasks = List.copyOf(tasks);
  }

  static PeriodicTasks start(ThreadFactory threads, List<Runnable> tasks) {
    PeriodicTasks periodicTasks = new PeriodicTasks(tasks);
    threads.newThread(periodicTasks::run).start();
    return periodicTasks;
  }

  private void run() {
    while (pause()) {
      tasks.forEach(PeriodicTasks::runSafely);
    }
  }

  /** Runs a task; no failure ends the thread, not even a lack of memory. */
  private static void runSafely(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error failure) {
      try {
        LOG.log(System.Logger.Level.WARNING, "a periodic task failed and will be retried", failure);
      } catch (OutOfMemoryError again) {
        // cannot be logged now
        Thread.onSpinWait();
      }
    }
  }

  /** Waits until the next round. Returns false if it is closed. */
  private boolean pause() {
    lock.lock();
    try {
      long left = PAUSE_NANOS;
      while (!closed && left > 0) {
        left = closing.awaitNanos(left);
      }
      return !closed;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      closing.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
