package dev.mayfly.engine.shard;

import dev.mayfly.store.Batch;
import dev.mayfly.store.Shard;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Commit queue of one shard. A few threads commit at the same time, as many as the processors can
 * use; a thread that comes while these are busy waits, and one of them then commits its batch
 * together with all others that wait. So hundreds of writers cost hardly more than one each.
 *
 * <p>Batches that are joined belong to groups that have no key in common, so their order does not
 * matter. Safe for many threads.
 */
final class CommitQueue {
  /** More threads than this in the store would mostly wait for one another. */
  private static final int MAX_LEADERS =
      Math.max(2, Runtime.getRuntime().availableProcessors() / 2);

  /** Limits of one joined batch: more would wait longer than they gain. */
  private static final int MAX_BATCHES = 64;

  private static final long MAX_BYTES = 4 << 20;

  /** Batches of at most this size together are added to that of the thread that commits. */
  private static final long MAX_REUSED_BYTES = 256 << 10;

  /** How often a waiting thread yields before it sleeps. */
  private static final int YIELDS = 20;

  private final Shard shard;

  /** Guards the other fields; never held during a commit. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Queue<Waiter> waiting = new ArrayDeque<>();
  private int leaders;

  CommitQueue(Shard shard) {
    this.shard = shard;
  }

  private enum Call {
    WAIT,
    /** This thread must commit. */
    LEAD,
    DONE
  }

  /** A batch, the thread that waits for its commit, and the result. */
  private static final class Waiter {
    private final Batch batch;
    private final Thread thread = Thread.currentThread();
    private volatile Call call = Call.WAIT;

    /** Both are set before {@code call}. */
    private long ticket;

    private @Nullable Throwable failure;

    Waiter(Batch batch) {
      this.batch = batch;
    }

    /** Ignores interrupts while waiting, but restores them for the caller. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding is an optimization only
    void await() {
      for (int i = 0; i < YIELDS && call == Call.WAIT; i++) {
        Thread.yield();
      }
      boolean interrupted = false;
      while (call == Call.WAIT) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        thread.interrupt();
      }
    }

    void wake(Call next) {
      call = next;
      LockSupport.unpark(thread);
    }
  }

  /**
   * Commits a batch, alone or together with others, which may be added to it.
   *
   * @return the ticket to wait for the disk with
   */
  long commit(Batch batch) {
    Waiter own = new Waiter(batch);
    enter(own);
    own.await();
    if (own.call == Call.LEAD) {
      lead(own);
    }
    Throwable failure = own.failure;
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
    return own.ticket;
  }

  private void enter(Waiter own) {
    lock.lock();
    long start = HeldTime.start();
    try {
      if (leaders < MAX_LEADERS) {
        leaders++;
        own.call = Call.LEAD;
      } else {
        waiting.add(own);
      }
    } finally {
      HeldTime.end(HeldTime.Section.QUEUE, start);
      lock.unlock();
    }
  }

  /** Commits the batch of this thread and those that wait, and lets the next thread lead. */
  private void lead(Waiter own) {
    List<Waiter> joined = List.of();
    try {
      joined = joined(own);
      long ticket = shard.commit(merged(own, joined));
      own.ticket = ticket;
      for (int i = 0; i < joined.size(); i++) {
        joined.get(i).ticket = ticket;
      }
    } catch (RuntimeException | Error failure) {
      own.failure = failure;
      for (int i = 0; i < joined.size(); i++) {
        joined.get(i).failure = failure;
      }
    } finally {
      leave();
      for (int i = 0; i < joined.size(); i++) {
        joined.get(i).wake(Call.DONE);
      }
    }
  }

  private List<Waiter> joined(Waiter own) {
    lock.lock();
    long start = HeldTime.start();
    try {
      if (waiting.isEmpty()) {
        return List.of();
      }
      List<Waiter> joined = new ArrayList<>();
      long bytes = own.batch.bytes();
      for (Waiter next = waiting.peek();
          next != null && joined.size() < MAX_BATCHES && bytes + next.batch.bytes() <= MAX_BYTES;
          next = waiting.peek()) {
        joined.add(waiting.remove());
        bytes += next.batch.bytes();
      }
      return joined;
    } finally {
      HeldTime.end(HeldTime.Section.QUEUE, start);
      lock.unlock();
    }
  }

  private static Batch merged(Waiter own, List<Waiter> joined) {
    long bytes = own.batch.bytes();
    for (int i = 0; i < joined.size(); i++) {
      bytes += joined.get(i).batch.bytes();
    }
    // the buffer of a small batch is used again
    boolean small = joined.isEmpty() || bytes <= MAX_REUSED_BYTES;
    Batch merged = small ? own.batch : new Batch(Math.toIntExact(bytes)).addAll(own.batch);
    for (int i = 0; i < joined.size(); i++) {
      merged.addAll(joined.get(i).batch);
    }
    return merged;
  }

  private void leave() {
    Waiter next;
    lock.lock();
    long start = HeldTime.start();
    try {
      next = waiting.poll();
      leaders -= next == null ? 1 : 0;
    } finally {
      HeldTime.end(HeldTime.Section.QUEUE, start);
      lock.unlock();
    }
    if (next != null) {
      next.wake(Call.LEAD);
    }
  }
}
