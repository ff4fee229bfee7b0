package dev.mayfly.cluster;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Scheduler with a time of its own, for simulations: processes are threads of which exactly one
 * runs at a time, until it pauses. So a history depends on nothing but its random numbers.
 */
final class SimulatedTime {
  private final PriorityQueue<Wake> wakes =
      new PriorityQueue<>(Comparator.comparingLong(Wake::at).thenComparingLong(Wake::number));
  private final Semaphore idle = new Semaphore(0);
  private long now;
  private long number;
  private @Nullable SimulatedThread running;
  private @Nullable Throwable failure;

  /** A machine on which processes run. */
  interface Machine {
    /** Returns until when it is paused. */
    long pausedUntil();

    boolean isCrashed();
  }

  private record Wake(long at, long number, SimulatedThread process) {}

  private static final class SimulatedThread {
    private final Machine machine;
    private final Semaphore turn = new Semaphore(0);

    SimulatedThread(Machine machine) {
      this.machine = machine;
    }
  }

  /** Ends the processes of a machine that has crashed. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1;

    Crash() {
      super(null, null, false, false);
    }
  }

  /** Returns the time in nanoseconds. */
  long now() {
    return now;
  }

  /** Starts a process after a while. */
  void start(Machine machine, long delay, Runnable body) {
    SimulatedThread process = new SimulatedThread(machine);
    wake(process, delay);
    Thread.ofVirtual()
        .start(
            () -> {
              process.turn.acquireUninterruptibly();
              try {
                if (!machine.isCrashed()) {
                  body.run();
                }
              } catch (Crash end) {
                // as intended
              } catch (Throwable failed) {
                failure = failed;
              }
              idle.release();
            });
  }

  private void wake(SimulatedThread process, long delay) {
    number++;
    wakes.add(new Wake(now + delay, number, process));
  }

  /** Lets others run for a while. Called by a process. */
  void pause(long nanos) {
    SimulatedThread process = running;
    if (process == null) {
      throw new IllegalStateException("only processes pause");
    }
    wake(process, nanos);
    idle.release();
    process.turn.acquireUninterruptibly();
    if (process.machine.isCrashed()) {
      throw new Crash();
    }
  }

  /** Runs the processes up to an instant. Fails as the first process that fails. */
  void run(long until, Supplier<String> description) {
    while (!wakes.isEmpty() && wakes.peek().at() <= until) {
      Wake next = wakes.remove();
      now = Math.max(now, next.at());
      SimulatedThread process = next.process();
      if (process.machine.pausedUntil() > now && !process.machine.isCrashed()) {
        wake(process, process.machine.pausedUntil() - now);
        continue;
      }
      running = process;
      process.turn.release();
      idle.acquireUninterruptibly();
      running = null;
      if (failure != null) {
        throw new AssertionError(description.get() + " at " + now / 1_000_000 + " ms", failure);
      }
    }
    now = until;
  }
}
