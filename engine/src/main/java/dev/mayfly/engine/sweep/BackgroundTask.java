package dev.mayfly.engine.sweep;

import dev.mayfly.engine.Alarm.Kind;
import dev.mayfly.engine.Alarm.Severity;
import dev.mayfly.engine.Alarms;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Background task: runs one slice of its work after the other, on threads that it shares with other
 * tasks. Two slices never run at the same time.
 *
 * <p>It survives any exception or error of a slice. After a failure it waits before the next
 * attempt, twice as long each time up to a maximum, and {@link #wake} has no effect meanwhile.
 * After several failures in a row it raises an alarm; the first success clears it. Safe for many
 * threads.
 */
public final class BackgroundTask {
  /** The delay of work that has nothing to do until it is woken. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final Logger LOG = System.getLogger(BackgroundTask.class.getName());
  private static final long FIRST_RETRY_NANOS = 250_000_000;
  private static final long MAX_RETRY_NANOS = 60_000_000_000L;
  private static final int MAX_DOUBLINGS = 8;
  private static final int FAILURES_BEFORE_ALARM = 3;

  /** Work of a task. */
  public interface Work {
    /** Does one slice; returns whether work remains. */
    boolean slice();

    /** Returns how long to wait before the next slice if work remains, in nanoseconds. */
    default long rest() {
      return 0;
    }

    /**
     * Returns how long to sleep if no work remains, in nanoseconds; {@link #NEVER} to sleep until
     * it is woken.
     */
    long idle();

    /**
     * Returns how long to wait after a failure, in nanoseconds.
     *
     * @param backOff how long tasks wait: twice as long after each failure, up to a maximum
     */
    default long retry(Throwable failure, long backOff) {
      return backOff;
    }

    /** Returns whether a failure has a reason outside of the engine, which its text contains. */
    default boolean isExternal(Throwable failure) {
      return false;
    }
  }

  /**
   * Where failures are reported.
   *
   * @param now the engine's time, in epoch milliseconds
   */
  public record Reporting(Alarms alarms, LongSupplier now) {}

  /**
   * Pause after a slice.
   *
   * @param idle whether {@link #wake} ends it
   */
  private record Pause(long nanos, boolean idle) {
    static final Pause MAX = new Pause(MAX_RETRY_NANOS, false);
  }

  private final Kind kind;
  private final Supplier<String> subject;
  private final Reporting reporting;
  private final Work work;

  /** Held during a slice, by a background thread or a caller of {@link #runSlice}. */
  private final ReentrantLock slices = new ReentrantLock();

  private @Nullable ScheduledExecutorService threads;
  private @Nullable Future<?> next;

  /** Subject of the raised alarm. A collection may be renamed before the alarm is cleared. */
  private @Nullable String raised;

  private State state = State.IDLE;
  private boolean woken;
  private int failures;

  private enum State {
    /** Sleeps until it is woken or its time has come. */
    IDLE,
    /** Rests, or waits for its next attempt or for a thread. */
    PENDING,
    RUNNING,
    ENDED
  }

  /**
   * @param subject the name of the collection or shard, for alarms and the log; empty for the
   *     engine
   */
  public BackgroundTask(Kind kind, Supplier<String> subject, Reporting reporting, Work work) {
    this.kind = kind;
    this.subject = subject;
    this.reporting = reporting;
    this.work = work;
  }

  /** Starts it on some threads. */
  public synchronized void start(ScheduledExecutorService on) {
    threads = on;
    wake();
  }

  /**
   * Runs it soon, because there may be work. Has no effect before the start and after a failure.
   */
  public synchronized void wake() {
    if (state == State.RUNNING) {
      woken = true;
    } else if (state == State.IDLE) {
      schedule(0);
    }
  }

  /** Ends it after the slice in progress, and clears its alarm. */
  public synchronized void end() {
    state = State.ENDED;
    cancelNext();
    clear();
  }

  /** Does one slice in the calling thread, even after a failure; returns whether work remains. */
  public boolean runSlice() {
    slices.lock();
    try {
      boolean more = work.slice();
      succeeded();
      return more;
    } catch (RuntimeException | Error failure) {
      failed(failure);
      throw failure;
    } finally {
      slices.unlock();
    }
  }

  private void run() {
    if (begin()) {
      Pause pause = Pause.MAX;
      try {
        pause = attempt();
      } finally {
        finish(pause);
      }
    }
  }

  private synchronized boolean begin() {
    if (state == State.ENDED) {
      return false;
    }
    state = State.RUNNING;
    woken = false;
    next = null;
    return true;
  }

  /** Does a slice and returns how long to wait after it. */
  private Pause attempt() {
    slices.lock();
    try {
      boolean more = work.slice();
      Pause pause = more ? new Pause(work.rest(), false) : new Pause(work.idle(), true);
      succeeded();
      return pause;
    } catch (Throwable failure) {
      return failed(failure);
    } finally {
      slices.unlock();
    }
  }

  /**
   * Schedules the next slice. Repeats that if it fails for lack of memory: otherwise the task would
   * never run again.
   */
  private void finish(Pause pause) {
    while (true) {
      try {
        plan(pause);
        return;
      } catch (OutOfMemoryError soon) {
        LockSupport.parkNanos(FIRST_RETRY_NANOS);
      }
    }
  }

  private synchronized void plan(Pause pause) {
    if (state == State.ENDED) {
      return;
    }
    if (!pause.idle()) {
      schedule(pause.nanos());
    } else if (woken) {
      schedule(0);
    } else {
      next = pause.nanos() == NEVER ? null : submit(pause.nanos());
      state = State.IDLE;
    }
  }

  /** Runs it after a delay that {@link #wake} does not end. The caller holds the monitor. */
  private void schedule(long nanos) {
    if (threads != null) {
      cancelNext();
      next = submit(nanos);
      state = State.PENDING;
    }
  }

  private @Nullable Future<?> submit(long nanos) {
    return threads == null ? null : threads.schedule(this::run, nanos, TimeUnit.NANOSECONDS);
  }

  private void cancelNext() {
    if (next != null) {
      next.cancel(false);
      next = null;
    }
  }

  private synchronized void succeeded() {
    failures = 0;
    clear();
  }

  private void clear() {
    if (raised != null) {
      reporting.alarms().clear(kind, raised);
      raised = null;
    }
  }

  /** Records a failure and returns how long to wait before the next attempt. */
  private synchronized Pause failed(Throwable failure) {
    failures++;
    try {
      if (state != State.ENDED) {
        report(failure);
      }
      long nanos = FIRST_RETRY_NANOS << Math.min(failures - 1, MAX_DOUBLINGS);
      return new Pause(work.retry(failure, Math.min(nanos, MAX_RETRY_NANOS)), false);
    } catch (OutOfMemoryError silent) {
      return Pause.MAX;
    }
  }

  private void report(Throwable failure) {
    String name = subject.get();
    String what = kind + (name.isEmpty() ? "" : " of " + name);
    String retried = "background work failed and will be retried: " + what;
    boolean external = work.isExternal(failure);
    String reason = external ? String.valueOf(failure.getMessage()) : failure.toString();
    if (external) {
      LOG.log(Level.WARNING, retried + ": " + reason);
    } else {
      LOG.log(Level.ERROR, retried, failure);
    }
    if (failures >= FAILURES_BEFORE_ALARM) {
      raised = raised == null ? name : raised;
      String text = what + " has failed " + failures + " times in a row: " + reason;
      reporting.alarms().raise(kind, raised, Severity.WARNING, reporting.now().getAsLong(), text);
    }
  }
}
