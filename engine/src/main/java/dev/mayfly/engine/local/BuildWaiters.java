package dev.mayfly.engine.local;

import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.IndexState;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Those who wait for the indexes of one collection to be built. Safe for many threads. */
final class BuildWaiters {
  /** How long whoever waits goes without asking whether it may wait on. */
  private static final long LOOK_NANOS = 50_000_000;

  private final Supplier<CollectionState> state;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, EngineException> failures = new HashMap<>();
  private boolean closed;

  /**
   * @param state returns the present state of the collection
   */
  BuildWaiters(Supplier<CollectionState> state) {
    this.state = state;
  }

  /**
   * Waits until an index is built; throws when it will not be.
   *
   * @param check called now and then; what it throws ends the wait
   */
  void await(String index, Runnable check) {
    lock.lock();
    try {
      while (!done(index)) {
        check.run();
        changed.awaitNanos(LOOK_NANOS);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new EngineException(Reason.CLOSED, "the wait for an index was interrupted");
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #await}, doing the work in rounds. */
  void work(String index, Runnable check, BooleanSupplier round) {
    while (!checked(index) && round.getAsBoolean()) {
      // each round builds a slice
      check.run();
    }
    if (!checked(index)) {
      throw new EngineException(Reason.CLOSED, "an index is not being built: " + index);
    }
  }

  private boolean checked(String index) {
    lock.lock();
    try {
      return done(index);
    } finally {
      lock.unlock();
    }
  }

  private boolean done(String index) {
    Optional<IndexState> found = state.get().index(index);
    if (found.isPresent() && found.get().ready()) {
      failures.remove(index);
      return true;
    }
    if (found.isEmpty()) {
      EngineException failure = failures.remove(index);
      throw failure == null
          ? new EngineException(Reason.CLOSED, "an index is gone: " + index)
          : failure;
    }
    if (closed) {
      throw new EngineException(Reason.CLOSED, "the collection is gone");
    }
    return false;
  }

  void failed(String index, EngineException failure) {
    lock.lock();
    try {
      failures.put(index, failure);
    } finally {
      lock.unlock();
    }
  }

  /** Notes that the collection is in another state. */
  void changed() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
