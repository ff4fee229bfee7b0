package dev.mayfly.engine.race;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs concurrent tasks of a test. Fails if a task fails or does not end, so that a deadlock is a
 * test failure.
 */
public final class Crowd {
  private static final long MOST_SECONDS = 60;

  private final List<Callable<Void>> workers = new ArrayList<>();
  private final List<Callable<Void>> companions = new ArrayList<>();
  private final AtomicBoolean over = new AtomicBoolean();

  /** A task that may fail in any way. */
  public interface Task {
    void run() throws Exception;
  }

  /** Adds a task; the run ends when all of these are done. */
  public Crowd worker(Task task) {
    workers.add(callable(task));
    return this;
  }

  /** Adds a task that is repeated until the others are done. */
  public Crowd meanwhile(Task task) {
    companions.add(
        callable(
            () -> {
              while (!over.get()) {
                task.run();
              }
            }));
    return this;
  }

  public void runOnVirtualThreads() throws Exception {
    run(Thread.ofVirtual().factory());
  }

  public void runOnPlatformThreads() throws Exception {
    run(Thread.ofPlatform().daemon().factory());
  }

  private void run(ThreadFactory threads) throws Exception {
    ExecutorService executor = Executors.newThreadPerTaskExecutor(threads);
    try {
      List<Future<Void>> others = companions.stream().map(executor::submit).toList();
      List<Future<Void>> all = new ArrayList<>(workers.stream().map(executor::submit).toList());
      try {
        for (Future<Void> worker : all) {
          finish(worker);
        }
      } finally {
        over.set(true);
      }
      for (Future<Void> other : others) {
        finish(other);
      }
    } finally {
      over.set(true);
      executor.shutdownNow();
    }
  }

  private static void finish(Future<Void> task) throws Exception {
    try {
      task.get(MOST_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw new AssertionError("a task of the crowd failed", failed.getCause());
    } catch (TimeoutException stuck) {
      throw new AssertionError("a task of the crowd does not come to an end", stuck);
    }
  }

  private static Callable<Void> callable(Task task) {
    return () -> {
      task.run();
      return null;
    };
  }
}
