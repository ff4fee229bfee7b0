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
 * Makes many that wait for the disk share one flush. The first to come flushes, in its own thread;
 * those who come meanwhile wait, and one of them then flushes for all of them. So at most one
 * carrier of virtual threads is held up by the disk, a lone caller pays for no hand-off, and nobody
 * is woken more than once.
 *
 * <p>A failed flush fails all who wait at that moment, and it is final: what the disk has is
 * unknown from then on, and trying again might report success for pages that the system has already
 * thrown away. The exception is a full disk, which RocksDB recovers from by writing anew what it
 * has in memory.
 */
final class GroupSync {
  private final Runnable flush;
  private final AtomicLong committed = new AtomicLong();
  private volatile long synced;
  private volatile @Nullable StoreException failure;

  /** Guards the rest; never held while flushing or waiting. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Queue<Waiter> waiting = new ArrayDeque<>();
  private boolean flushing;

  /** Somebody who came during a flush, and what became of it. */
  private static final class Waiter {
    final long ticket;
    final Thread thread = Thread.currentThread();
    volatile Call call = Call.WAIT;

    /** Set before the call is. */
    @Nullable StoreException failure;

    Waiter(long ticket) {
      this.ticket = ticket;
    }

    /** Is not put off by interrupts, but keeps them for the caller. */
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
    /** It is this one's turn to flush. */
    LEAD,
    /** The disk has it, or never will. */
    DONE
  }

  /** The flush brings everything written before it was called to disk, or throws. */
  GroupSync(Runnable flush) {
    this.flush = flush;
  }

  /** A ticket for what the caller has just written. */
  long ticket() {
    return committed.incrementAndGet();
  }

  /** The highest ticket of what is on disk; 0 before the first flush. */
  long syncedThrough() {
    return synced;
  }

  /** The ticket of the last commit when that is not on disk yet, as far as is known; else 0. */
  long unflushed() {
    long last = committed.get();
    return last > synced ? last : 0;
  }

  /** Fails when a flush has failed before. */
  void check() {
    StoreException e = failure;
    if (e != null) {
      throw failed(e);
    }
  }

  private static StoreException failed(StoreException e) {
    return new StoreException(e.reason(), "a flush of the log failed: " + e.getMessage(), e);
  }

  /** Returns once what the ticket stands for is on disk. */
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

  /** Decides what the newcomer does: nothing, wait, or flush, as nobody else does. */
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

  /** Wakes all whose ticket was reached, and one of the others to lead them. */
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
