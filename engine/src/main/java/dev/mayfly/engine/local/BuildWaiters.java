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

/** Threads that wait for index builds of one collection. Safe for many threads. */
final class BuildWaiters {
  /** Interval at which a waiting thread runs its check. */
  private static final long CHECK_NANOS = 50_000_000;

  private final Supplier<CollectionState> state;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, EngineException> failures = new HashMap<>();
  private boolean closed;

  /**
   * @param state returns the current state of the collection
   */
  BuildWaiters(Supplier<CollectionState> state) {
    this.state = state;
  }

  /**
   * Waits until an index is built. Throws if the build fails or the index is dropped.
   *
   * @param check called repeatedly; if it throws, the wait ends
   */
  void await(String index, Runnable check) {
    lock.lock();
    try {
      while (!done(index)) {
        check.run();
        changed.awaitNanos(CHECK_NANOS);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new EngineException(Reason.CLOSED, "the wait for an index was interrupted");
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #await}, doing the background work in this thread. */
  void work(String index, Runnable check, BooleanSupplier round) {
    while (!checked(index) && round.getAsBoolean()) {
      // each round runs a slice of the build
      check.run();
    }
    if (!checked(index)) {
      throw new EngineException(Reason.CLOSED, "index " + index + " is not being built");
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
          ? new EngineException(Reason.CLOSED, "index " + index + " was dropped")
          : failure;
    }
    if (closed) {
      throw new EngineException(Reason.CLOSED, "the collection was dropped");
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

  /** Wakes the waiting threads: the collection has a new state. */
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
