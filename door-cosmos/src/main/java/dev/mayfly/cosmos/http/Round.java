package dev.mayfly.cosmos.http;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Decides who handles the requests that are not answered at once. The loop's alone.
 *
 * <p>One that comes alone, while nobody is at work, is left to the loop: to wake another thread and
 * to be woken by it would take longer. Those that come in the same round of the loop, or while
 * others are handled, have a thread each and are handled side by side.
 */
final class Round {
  private final Executor loop;
  private final Executor workers;

  /** What has come in this round, alone so far. */
  private @Nullable Job first;

  /** How many are being handled by other threads. */
  private int away;

  /** A request to be handled. */
  interface Job {
    /** Handles it on the loop; false when it has to be handled elsewhere. */
    boolean here();

    /** Handles it on another thread; the loop then says so by {@link Round#back}. */
    void elsewhere();

    /** There are no other threads any more. */
    void refused();
  }

  Round(Executor loop, Executor workers) {
    this.loop = loop;
    this.workers = workers;
  }

  void take(Job job) {
    if (first != null) {
      handOver(first);
      first = null;
    }
    if (away > 0) {
      handOver(job);
    } else {
      first = job;
      loop.execute(this::end);
    }
  }

  private void end() {
    Job alone = first;
    first = null;
    if (alone != null && !alone.here()) {
      handOver(alone);
    }
  }

  private void handOver(Job job) {
    try {
      workers.execute(job::elsewhere);
      away++;
    } catch (RejectedExecutionException closing) {
      job.refused();
    }
  }

  /** One that was handled by another thread is done. */
  void back() {
    away--;
  }
}
