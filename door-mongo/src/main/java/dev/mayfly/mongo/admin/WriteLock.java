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
 * Write locks of the MongoDB door: the lock of {@code fsync}, which is counted and also pauses the
 * sweep, and an exclusive lock on one database for the time of a command. Reads are not locked.
 *
 * <p>A request is registered as running before it checks the lock. So a request that has not seen
 * the lock is seen by the thread that locks, which waits for it. Without a lock, the check costs
 * one read of a field. Thread-safe.
 */
public final class WriteLock {
  private static final ErrorCode LOCK_TIMEOUT = new ErrorCode(46, "LockTimeout");

  /** The interval at which waiting requests check for {@code killOp} and {@code maxTimeMS}. */
  private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Engine engine;
  private final Clients clients;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean sweepPaused;
  private volatile long count;
  private volatile Set<String> databases = Set.of();

  WriteLock(Engine engine, Clients clients) {
    this.engine = engine;
    this.clients = clients;
  }

  /** Selects the requests that write. */
  public interface Writers {
    boolean writes(Request request);
  }

  /** Returns the number of {@code fsync} locks. */
  long count() {
    return count;
  }

  /**
   * Waits while a lock excludes the request.
   *
   * @throws CommandException if the request is interrupted
   */
  public void awaitUnlocked(Request request, Writers writers) {
    if (isLocked(request.database()) && writers.writes(request)) {
      request.operation().mayWait();
      request.operation().waitsForLock(true);
      try {
        await(request, () -> !isLocked(request.database()));
      } finally {
        request.operation().waitsForLock(false);
      }
      request.operation().renew();
    }
  }

  private boolean isLocked(String database) {
    return count > 0 || databases.contains(database);
  }

  /** Runs an action while no other request of this door writes to the same database. */
  public void runExclusively(Request request, Writers writers, Runnable action) {
    String database = request.database();
    lockDatabase(request, database);
    try {
      await(request, () -> idle(request, other -> writers.writes(other) && isTo(database, other)));
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

  private static boolean isTo(String database, Request request) {
    return request.database().equals(database);
  }

  /** Locks the database, after the exclusive lock of another request has ended. */
  private void lockDatabase(Request request, String database) {
    lock.lock();
    try {
      awaitUnlocked(request, _ -> true);
      databases =
          Stream.concat(databases.stream(), Stream.of(database)).collect(toUnmodifiableSet());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds one lock and waits until no request writes.
   *
   * @param millis the maximum time to wait
   * @return the number of locks now
   * @throws CommandException LOCK_TIMEOUT if a request still writes after this time; then the lock
   *     is released
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
                  LOCK_TIMEOUT, "Fsync lock timed out: write operations are still running");
            }
            return idle;
          });
      return now;
    } catch (RuntimeException failure) {
      add(-1);
      throw failure;
    }
  }

  /**
   * Releases one lock.
   *
   * @return the number of locks left
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

  /** Pauses the sweep, with or without a lock, or ends this pause. */
  void keepSweepPaused(boolean paused) {
    lock.lock();
    try {
      sweepPaused = paused;
      if (paused) {
        engine.pauseSweep();
      } else {
        resumeSweep();
      }
    } finally {
      lock.unlock();
    }
  }

  private void resumeSweep() {
    if (count == 0 && !sweepPaused) {
      engine.resumeSweep();
    }
  }

  /** Waits until no other request that writes is running. */
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

  /** A condition to wait for. */
  private interface Goal {
    boolean reached();
  }

  private void await(Request request, Goal goal) {
    lock.lock();
    try {
      while (!goal.reached()) {
        request.check();
        changed.awaitNanos(CHECK_NANOS);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new CommandException(ErrorCode.INTERRUPTED_AT_SHUTDOWN, "the server is stopping");
    } finally {
      lock.unlock();
    }
  }
}
