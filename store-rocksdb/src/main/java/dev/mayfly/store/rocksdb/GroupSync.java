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
 * Group sync: everything that waits for the disk shares one flush. One flush runs at a time; what
 * is committed meanwhile belongs to the next one, which the {@link Flusher} starts at once.
 *
 * <p>A thread that may block calls {@link #await}. If no flush is running and it is a platform
 * thread, it flushes in its own thread, without a hand-off. Otherwise it sleeps and wakes once. An
 * event loop calls {@link #wakeAfterFlush} and is woken once per flush; one that has nothing else
 * to do calls {@link #trySyncHere} first.
 *
 * <p>A failed flush fails all that wait, and it is final: the state of the disk is unknown from
 * then on, and a retry might report success for pages that the system has already discarded. The
 * exception is a full disk, from which RocksDB recovers by rewriting its memtables.
 */
final class GroupSync {
  private final Runnable flush;
  private final Runnable summon;
  private final AtomicLong committed = new AtomicLong();
  private volatile long synced;

  /** The failure after which nothing is flushed any more. */
  private volatile @Nullable StoreException failure;

  /** The last failure. Survived by the store if the disk was full. */
  private volatile @Nullable FailedFlush lastFailed;

  /** Guards the other fields; never held while flushing, waiting or waking. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Queue<Waiter> waiters = new ArrayDeque<>();
  private final List<Wake> wakes = new ArrayList<>();
  private boolean flushing;

  /**
   * @param through the last ticket at the time of the failure
   */
  private record FailedFlush(long through, StoreException failure) {}

  /** A thread that sleeps until its ticket is on disk, and its result. */
  private static final class Waiter {
    final long ticket;
    final Thread thread = Thread.currentThread();
    volatile boolean done;

    /** Set before {@code done}. */
    @Nullable StoreException failure;

    Waiter(long ticket) {
      this.ticket = ticket;
    }

    /** Ignores interrupts while waiting, but restores them for the caller. */
    void await() {
      boolean interrupted = false;
      while (!done) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        thread.interrupt();
      }
    }

    void wake(@Nullable StoreException result) {
      failure = result;
      done = true;
      LockSupport.unpark(thread);
    }
  }

  /** An event loop that is to be woken, with the lowest and the highest ticket it waits for. */
  private static final class Wake {
    final Runnable run;
    long first;
    long last;

    Wake(Runnable run, long ticket) {
      this.run = run;
      this.first = ticket;
      this.last = ticket;
    }
  }

  /**
   * @param flush brings everything written before the call to disk, or throws
   * @param summon makes another thread call {@link #flushWaiting} soon; returns at once
   */
  GroupSync(Runnable flush, Runnable summon) {
    this.flush = flush;
    this.summon = summon;
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

  /** Returns whether the commit with this ticket is on disk; fails if a flush of it has failed. */
  boolean trySync(long ticket) {
    if (synced >= ticket) {
      return true;
    }
    check();
    FailedFlush last = lastFailed;
    if (last != null && ticket <= last.through() && synced < ticket) {
      throw failed(last.failure());
    }
    return false;
  }

  /** As {@link #trySync}, but flushes in the calling thread if no flush is running. */
  boolean trySyncHere(long ticket) {
    checkTicket(ticket);
    if (trySync(ticket)) {
      return true;
    }
    lock.lock();
    try {
      check();
      if (flushing || synced >= ticket) {
        return synced >= ticket;
      }
      flushing = true;
    } finally {
      lock.unlock();
    }
    lead();
    return true;
  }

  /** Returns when the commit with this ticket is on disk. */
  void await(long ticket) {
    checkTicket(ticket);
    if (synced >= ticket) {
      return;
    }
    Waiter waiter = new Waiter(ticket);
    boolean leads = false;
    boolean summons = false;
    lock.lock();
    try {
      check();
      if (synced >= ticket) {
        return;
      }
      leads = !flushing && !waiter.thread.isVirtual();
      summons = !flushing && !leads;
      flushing |= leads;
      if (!leads) {
        waiters.add(waiter);
      }
    } finally {
      lock.unlock();
    }
    if (leads) {
      lead();
      return;
    }
    if (summons) {
      summon.run();
    }
    waiter.await();
    if (waiter.failure != null) {
      throw failed(waiter.failure);
    }
  }

  /**
   * Calls {@code wake} at the end of each flush until the ticket is on disk or a flush of it has
   * failed: now, if that is so already.
   */
  void wakeAfterFlush(long ticket, Runnable wake) {
    checkTicket(ticket);
    boolean waits;
    boolean summons;
    lock.lock();
    try {
      waits = isUndecided(ticket);
      summons = waits && !flushing && !hasWaiting();
      if (waits) {
        add(ticket, wake);
      }
    } finally {
      lock.unlock();
    }
    if (!waits) {
      wake.run();
    } else if (summons) {
      summon.run();
    }
  }

  private boolean isUndecided(long ticket) {
    FailedFlush last = lastFailed;
    return synced < ticket && failure == null && (last == null || ticket > last.through());
  }

  private void add(long ticket, Runnable run) {
    for (Wake wake : wakes) {
      if (wake.run.equals(run)) {
        wake.first = Math.min(wake.first, ticket);
        wake.last = Math.max(wake.last, ticket);
        return;
      }
    }
    wakes.add(new Wake(run, ticket));
  }

  private void checkTicket(long ticket) {
    if (ticket > committed.get()) {
      throw new IllegalArgumentException("no commit has ticket " + ticket);
    }
  }

  /** Returns whether something waits for a flush, and none is running. */
  boolean isAwaited() {
    lock.lock();
    try {
      return !flushing && hasWaiting();
    } finally {
      lock.unlock();
    }
  }

  private boolean hasWaiting() {
    return !waiters.isEmpty() || !wakes.isEmpty();
  }

  /** Flushes if something waits and no flush is running. Returns whether it has flushed. */
  boolean flushWaiting() {
    lock.lock();
    try {
      if (flushing || !hasWaiting()) {
        return false;
      }
      flushing = true;
    } finally {
      lock.unlock();
    }
    lead();
    return true;
  }

  /** Flushes if a commit is not on disk, unless a flush is running. */
  void flushAll() {
    lock.lock();
    try {
      if (flushing || failure != null || unflushed() == 0) {
        return;
      }
      flushing = true;
    } finally {
      lock.unlock();
    }
    lead();
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

  private void succeed(long reached) {
    List<Waiter> done = new ArrayList<>();
    List<Runnable> woken = new ArrayList<>();
    boolean more;
    lock.lock();
    try {
      synced = reached;
      flushing = false;
      waiters.removeIf(waiter -> waiter.ticket <= reached && done.add(waiter));
      wakes.removeIf(wake -> wake.first <= reached && woken.add(wake.run) && wake.last <= reached);
      wakes.forEach(wake -> wake.first = Math.max(wake.first, reached + 1));
      more = hasWaiting();
    } finally {
      lock.unlock();
    }
    if (more) {
      summon.run();
    }
    woken.forEach(Runnable::run);
    done.forEach(waiter -> waiter.wake(null));
  }

  /** Fails all that wait, and unless the disk was full, everything from now on. */
  void fail(StoreException e) {
    List<Waiter> failed;
    List<Wake> woken;
    lock.lock();
    try {
      if (e.reason() != Reason.DISK_FULL && failure == null) {
        failure = e;
      }
      lastFailed = new FailedFlush(committed.get(), e);
      flushing = false;
      failed = List.copyOf(waiters);
      waiters.clear();
      woken = List.copyOf(wakes);
      wakes.clear();
    } finally {
      lock.unlock();
    }
    woken.forEach(wake -> wake.run.run());
    failed.forEach(waiter -> waiter.wake(e));
  }
}
