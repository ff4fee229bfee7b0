package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Group sync: concurrent callers share one flush. The first caller flushes in its own thread;
 * callers that arrive meanwhile wait, and one of them then flushes for all of them. So at most one
 * carrier of virtual threads waits for the disk, a lone caller needs no hand-off, and each waiter
 * wakes once.
 *
 * <p>A failed flush fails all current waiters, and it is final: the state of the disk is unknown
 * from then on, and a retry might report success for pages that the system has already discarded.
 * The exception is a full disk, from which RocksDB recovers by rewriting its memtables.
 */
final class GroupSync {
  private final Runnable flush;
  private final AtomicLong committed = new AtomicLong();
  private volatile long synced;
  private volatile @Nullable StoreException failure;

  /** Guards the other fields; never held while flushing or waiting. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Queue<Waiter> waiting = new ArrayDeque<>();
  private boolean flushing;

  /** A caller that arrived during a flush, and its result. */
  private static final class Waiter {
    final long ticket;
    final Thread thread = Thread.currentThread();
    volatile Call call = Call.WAIT;

    /** Set before {@code call}. */
    @Nullable StoreException failure;

    Waiter(long ticket) {
      this.ticket = ticket;
    }

    /** Ignores interrupts while waiting, but restores them for the caller. */
    void await() {
      boolean interrupted = false;
      while (call == Call.WAIT) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        thread.interrupt();
      }
    }

    void wake(Call newCall) {
      call = newCall;
      LockSupport.unpark(thread);
    }
  }

  private enum Call {
    WAIT,
    /** This waiter must flush. */
    LEAD,
    /** The commit is on disk, or the flush failed. */
    DONE
  }

  /**
   * @param flush brings everything written before the call to disk, or throws
   */
  GroupSync(Runnable flush) {
    this.flush = flush;
  }

  /** Returns a ticket for what the caller has just written. */
  long ticket() {
    return committed.incrementAndGet();
  }

  /** Returns the highest ticket that is on disk; 0 before the first flush. */
  long syncedThrough() {
    return synced;
  }

  /** Returns the ticket of the last commit if it is not known to be on disk, else 0. */
  long unflushed() {
    long last = committed.get();
    return last > synced ? last : 0;
  }

  /** Fails if a flush has failed before. */
  void check() {
    StoreException e = failure;
    if (e != null) {
      throw failed(e);
    }
  }

  private static StoreException failed(StoreException e) {
    return new StoreException(e.reason(), "a flush of the log failed: " + e.getMessage(), e);
  }

  /** Returns when the commit with this ticket is on disk. */
  void await(long ticket) {
    if (ticket > committed.get()) {
      throw new IllegalArgumentException("no commit has ticket " + ticket);
    }
    if (synced >= ticket) {
      return;
    }
    Waiter waiter = new Waiter(ticket);
    enter(waiter);
    waiter.await();
    if (waiter.call == Call.LEAD) {
      lead();
    } else if (waiter.failure != null) {
      throw failed(waiter.failure);
    }
  }

  /** Decides what a new caller does: nothing, wait, or flush. */
  private void enter(Waiter waiter) {
    lock.lock();
    try {
      check();
      if (synced >= waiter.ticket) {
        waiter.call = Call.DONE;
      } else if (flushing) {
        waiting.add(waiter);
      } else {
        flushing = true;
        waiter.call = Call.LEAD;
      }
    } finally {
      lock.unlock();
    }
  }

  private void lead() {
    long last = committed.get();
    try {
      flush.run();
    } catch (StoreException e) {
      fail(e);
      throw e;
    } catch (RuntimeException | Error e) {
      fail(new StoreException(Reason.IO, "the flush ended unexpectedly", e));
      throw e;
    }
    succeed(last);
  }

  /** Wakes all waiters whose ticket was reached, and one of the others to lead them. */
  private void succeed(long reached) {
    List<Waiter> done = new ArrayList<>();
    Waiter next;
    lock.lock();
    try {
      synced = reached;
      waiting.removeIf(waiter -> waiter.ticket <= reached && done.add(waiter));
      next = waiting.poll();
      flushing = next != null;
    } finally {
      lock.unlock();
    }
    if (next != null) {
      next.wake(Call.LEAD);
    }
    done.forEach(waiter -> waiter.wake(Call.DONE));
  }

  private void fail(StoreException e) {
    List<Waiter> failed;
    lock.lock();
    try {
      if (e.reason() != Reason.DISK_FULL) {
        failure = e;
      }
      failed = List.copyOf(waiting);
      waiting.clear();
      flushing = false;
    } finally {
      lock.unlock();
    }
    for (Waiter waiter : failed) {
      waiter.failure = e;
      waiter.wake(Call.DONE);
    }
  }
}
