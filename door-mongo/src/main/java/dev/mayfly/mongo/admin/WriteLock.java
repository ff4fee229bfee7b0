package dev.mayfly.mongo.admin;

import static java.util.stream.Collectors.toUnmodifiableSet;

import dev.mayfly.engine.Engine;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Keeps the requests of this door from writing, and the sweep, from {@code fsync} with {@code lock}
 * until as many {@code fsyncUnlock}, and those to one database while a command needs it for itself.
 * Reads go on.
 *
 * <p>A request is known to be running before it comes here, so one that did not see the lock is
 * seen by who locks, and waited for. A request that nothing holds up pays for one look at a field.
 * Safe for many threads.
 */
public final class WriteLock {
  private static final ErrorCode LOCK_TIMEOUT = new ErrorCode(46, "LockTimeout");

  /** How often those who wait look whether they are to stop. */
  private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Engine engine;
  private final Clients clients;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean sweepHeld;
  private volatile long count;
  private volatile Set<String> databases = Set.of();

  WriteLock(Engine engine, Clients clients) {
    this.engine = engine;
    this.clients = clients;
  }

  /** Which requests write. */
  public interface Writers {
    boolean writes(Request request);
  }

  /** How many times it is locked. */
  long count() {
    return count;
  }

  /**
   * Goes on when nobody keeps requests from writing, or nobody does any more.
   *
   * @throws CommandException when the request is to stop
   */
  public void pass(Request request, Writers writers) {
    if (closed(request.database()) && writers.writes(request)) {
      request.operation().mayWait();
      request.operation().waitsForLock(true);
      try {
        await(request, () -> !closed(request.database()));
      } finally {
        request.operation().waitsForLock(false);
      }
    }
  }

  private boolean closed(String database) {
    return count > 0 || databases.contains(database);
  }

  /** Does something while no other request of this door writes to the same database. */
  public void alone(Request request, Writers writers, Runnable action) {
    String database = request.database();
    close(request, database);
    try {
      await(request, () -> idle(request, other -> writers.writes(other) && isOf(database, other)));
      action.run();
    } finally {
      lock.lock();
      try {
        databases =
            databases.stream()
                .filter(other -> !other.equals(database))
                .collect(toUnmodifiableSet());
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private static boolean isOf(String database, Request request) {
    return request.database().equals(database);
  }

  /** Waits for its turn when others are alone in the database. */
  private void close(Request request, String database) {
    lock.lock();
    try {
      pass(request, _ -> true);
      databases =
          Stream.concat(databases.stream(), Stream.of(database)).collect(toUnmodifiableSet());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Locks, once more if it is locked already, and waits until nothing is being written.
   *
   * @param millis how long at most
   * @return how many times it is locked now
   * @throws CommandException LOCK_TIMEOUT when something is still being written then
   */
  long lock(Request request, long millis, Writers writers) {
    long until = request.operation().runningNanos() + TimeUnit.MILLISECONDS.toNanos(millis);
    long now = add(1);
    try {
      await(
          request,
          () -> {
            boolean idle = idle(request, writers);
            if (!idle && request.operation().runningNanos() >= until) {
              throw new CommandException(
                  LOCK_TIMEOUT, "Fsync lock timed out: writes are still going on");
            }
            return idle;
          });
      return now;
    } catch (RuntimeException stopped) {
      add(-1);
      throw stopped;
    }
  }

  /**
   * Takes one lock back.
   *
   * @return how many are left
   */
  long unlock() {
    lock.lock();
    try {
      if (count == 0) {
        throw new CommandException(
            ErrorCode.ILLEGAL_OPERATION, "fsyncUnlock called when not locked");
      }
      return add(-1);
    } finally {
      lock.unlock();
    }
  }

  private long add(int more) {
    lock.lock();
    try {
      long now = count + more;
      count = now;
      if (now == 0) {
        resumeSweep();
        changed.signalAll();
      } else if (more > 0) {
        engine.pauseSweep();
      }
      return now;
    } finally {
      lock.unlock();
    }
  }

  /** Keeps the sweep still, locked or not, until it is told otherwise. */
  void holdSweep(boolean held) {
    lock.lock();
    try {
      sweepHeld = held;
      if (held) {
        engine.pauseSweep();
      } else {
        resumeSweep();
      }
    } finally {
      lock.unlock();
    }
  }

  private void resumeSweep() {
    if (count == 0 && !sweepHeld) {
      engine.resumeSweep();
    }
  }

  /** Waits until no other request is doing what writers do. */
  void awaitIdle(Request request, Writers writers) {
    await(request, () -> idle(request, writers));
  }

  private boolean idle(Request own, Writers writers) {
    return clients.all().stream()
        .flatMap(client -> client.running().stream())
        .map(runningOperation -> runningOperation.request())
        .noneMatch(
            other ->
                other != own && !other.operation().isWaitingForLock() && writers.writes(other));
  }

  /** A condition under which one goes on. */
  private interface Gate {
    boolean open();
  }

  private void await(Request request, Gate gate) {
    lock.lock();
    try {
      while (!gate.open()) {
        request.check();
        changed.awaitNanos(GLANCE_NANOS);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new CommandException(ErrorCode.INTERRUPTED_AT_SHUTDOWN, "the server is stopping");
    } finally {
      lock.unlock();
    }
  }
}
