package dev.mayfly.mongo;

import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Does small things again and again until it is closed, in a thread of its own. */
final class PeriodicTasks implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PeriodicTasks.class.getName());
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final List<Runnable> chores;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private boolean closed;

  private PeriodicTasks(List<Runnable> chores) {
    this.chores = List.copyOf(chores);
  }

  static PeriodicTasks start(ThreadFactory threads, List<Runnable> chores) {
    PeriodicTasks periodicTasks = new PeriodicTasks(chores);
    threads.newThread(periodicTasks::keep).start();
    return periodicTasks;
  }

  private void keep() {
    while (pause()) {
      chores.forEach(PeriodicTasks::surviving);
    }
  }

  /** Does a chore; nothing that goes wrong in it ends the thread, not even a lack of memory. */
  private static void surviving(Runnable chore) {
    try {
      chore.run();
    } catch (RuntimeException | Error failure) {
      try {
        LOG.log(System.Logger.Level.WARNING, "a chore failed and will be tried again", failure);
      } catch (OutOfMemoryError again) {
        // nothing can be said now
        Thread.onSpinWait();
      }
    }
  }

  /** Waits a while; false when it is closed. */
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
