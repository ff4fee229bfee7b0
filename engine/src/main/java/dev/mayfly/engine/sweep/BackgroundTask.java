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
 * tasks, and never twice at a time.
 *
 * <p>It survives whatever a slice throws. After a failure it waits before the next attempt, twice
 * as long each time up to a cap, and wakes no earlier; an alarm is raised when it has failed
 * several times in a row and cleared by the first success. Safe for many threads.
 */
public final class BackgroundTask {
  /** The delay of work that has nothing to do until it is woken. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final Logger LOG = System.getLogger(BackgroundTask.class.getName());
  private static final long FIRST_RETRY_NANOS = 250_000_000;
  private static final long LONGEST_RETRY_NANOS = 60_000_000_000L;
  private static final int MOST_DOUBLINGS = 8;
  private static final int FAILURES_BEFORE_ALARM = 3;

  /** What a task does. */
  public interface Work {
    /** Does one slice; true while there is more to do. */
    boolean slice();

    /** How long to wait before the next slice, in nanoseconds, after one that left more to do. */
    default long rest() {
      return 0;
    }

    /** How long nothing will be to do, in nanoseconds; {@link #NEVER} until it is woken. */
    long idle();
  }

  /**
   * Where failures are reported.
   *
   * @param now the engine's time
   */
  public record Reporting(Alarms alarms, LongSupplier now) {}

  /**
   * How long to wait after a slice.
   *
   * @param idle whether it may be woken before
   */
  private record Pause(long nanos, boolean idle) {
    static final Pause LONGEST = new Pause(LONGEST_RETRY_NANOS, false);
  }

  private final Kind kind;
  private final Supplier<String> subject;
  private final Reporting reporting;
  private final Work work;

  /** Held during a slice, by a thread of the background or by one that works by hand. */
  private final ReentrantLock turn = new ReentrantLock();

  private @Nullable ScheduledExecutorService threads;
  private @Nullable Future<?> next;

  /** What the alarm was raised for: a collection may have another name by now. */
  private @Nullable String raised;

  private State state = State.IDLE;
  private boolean woken;
  private int failures;

  private enum State {
    /** Waits to be woken, or until its time has come. */
    IDLE,
    /** Will run soon: it rests, or waits for its next attempt or for a thread. */
    PENDING,
    RUNNING,
    ENDED
  }

  /**
   * @param subject names what is worked on, for alarms and the log; empty for the engine
   */
  public BackgroundTask(Kind kind, Supplier<String> subject, Reporting reporting, Work work) {
    this.kind = kind;
    this.subject = subject;
    this.reporting = reporting;
    this.work = work;
  }

  /** Lets it run by itself from now on. */
  public synchronized void start(ScheduledExecutorService on) {
    threads = on;
    wake();
  }

  /** Says that there may be something to do; ignored before the start and after a failure. */
  public synchronized void wake() {
    if (state == State.RUNNING) {
      woken = true;
    } else if (state == State.IDLE) {
      schedule(0);
    }
  }

  /** Ends it: a slice in progress is the last. Clears its alarm. */
  public synchronized void end() {
    state = State.ENDED;
    cancelNext();
    clear();
  }

  /** Does one slice in the calling thread, whatever failed before; true while there is more. */
  public boolean runSlice() {
    turn.lock();
    try {
      boolean more = work.slice();
      succeeded();
      return more;
    } catch (RuntimeException | Error failure) {
      failed(failure);
      throw failure;
    } finally {
      turn.unlock();
    }
  }

  private void run() {
    if (begin()) {
      Pause pause = Pause.LONGEST;
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
    turn.lock();
    try {
      boolean more = work.slice();
      Pause pause = more ? new Pause(work.rest(), false) : new Pause(work.idle(), true);
      succeeded();
      return pause;
    } catch (Throwable failure) {
      return failed(failure);
    } finally {
      turn.unlock();
    }
  }

  /** Plans the next slice. Even that may fail for want of memory, and must be done. */
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

  /** Has it run after a delay whatever wakes it meanwhile. The caller holds the monitor. */
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

  /** Notes a failure and returns how long to wait before the next attempt. */
  private synchronized Pause failed(Throwable failure) {
    failures++;
    try {
      if (state != State.ENDED) {
        report(failure);
      }
      long nanos = FIRST_RETRY_NANOS << Math.min(failures - 1, MOST_DOUBLINGS);
      return new Pause(Math.min(nanos, LONGEST_RETRY_NANOS), false);
    } catch (OutOfMemoryError silent) {
      return Pause.LONGEST;
    }
  }

  private void report(Throwable failure) {
    String name = subject.get();
    String what = kind + (name.isEmpty() ? "" : " of " + name);
    LOG.log(Level.ERROR, "background work failed and will be tried again: " + what, failure);
    if (failures >= FAILURES_BEFORE_ALARM) {
      raised = raised == null ? name : raised;
      String text = what + " has failed " + failures + " times in a row: " + failure;
      reporting.alarms().raise(kind, raised, Severity.WARNING, reporting.now().getAsLong(), text);
    }
  }
}
