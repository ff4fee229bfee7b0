package dev.mayfly.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class GroupSyncTest {
  private final List<Flusher> flushers = new ArrayList<>();

  private GroupSync groupSync(Runnable flush) {
    Flusher flusher = new Flusher(flush);
    flushers.add(flusher);
    flusher.start();
    return flusher.groupSync();
  }

  @AfterEach
  void close() {
    flushers.forEach(Flusher::close);
  }

  @Test
  void aLoneCallerFlushesInItsOwnThread() {
    List<Thread> threads = new ArrayList<>();
    GroupSync sync = groupSync(() -> threads.add(Thread.currentThread()));

    sync.await(sync.ticket());

    assertThat(threads).containsExactly(Thread.currentThread());
  }

  @Test
  void anEventLoopWithoutOtherWorkFlushesInItsOwnThread() {
    List<Thread> threads = new ArrayList<>();
    GroupSync sync = groupSync(() -> threads.add(Thread.currentThread()));
    long ticket = sync.ticket();

    assertThat(sync.trySyncHere(ticket)).isTrue();
    assertThat(sync.trySyncHere(ticket)).isTrue();

    assertThat(sync.trySync(ticket)).isTrue();
    assertThat(threads).containsExactly(Thread.currentThread());
  }

  @Test
  void itDoesNotWaitForAFlushThatIsRunning() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    GroupSync sync =
        groupSync(
            () -> {
              began.countDown();
              awaitUnchecked(mayEnd);
            });
    sync.wakeAfterFlush(sync.ticket(), () -> {});
    began.await();

    assertThat(sync.trySyncHere(sync.ticket())).isFalse();
    mayEnd.countDown();
  }

  @Test
  void aFlushInItsOwnThreadThatFailsIsReported() {
    GroupSync sync =
        groupSync(
            () -> {
              throw new StoreException(Reason.IO, "simulated");
            });
    long ticket = sync.ticket();

    assertThatThrownBy(() -> sync.trySyncHere(ticket)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> sync.trySync(ticket)).isInstanceOf(StoreException.class);
  }

  @Test
  void aVirtualThreadLeavesTheFlushToThePlatformThread() throws Exception {
    Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    GroupSync sync = groupSync(() -> threads.add(Thread.currentThread()));

    Thread.ofVirtual().start(() -> sync.await(sync.ticket())).join();

    assertThat(sync.syncedThrough()).isEqualTo(1);
    assertThat(threads).singleElement().matches(thread -> !thread.isVirtual());
  }

  @Test
  void anEventLoopIsWokenOncePerFlushForAllItsTickets() throws Exception {
    AtomicInteger flushes = new AtomicInteger();
    CountDownLatch firstBegan = new CountDownLatch(1);
    CountDownLatch firstMayEnd = new CountDownLatch(1);
    GroupSync sync =
        groupSync(
            () -> {
              if (flushes.incrementAndGet() == 1) {
                firstBegan.countDown();
                awaitUnchecked(firstMayEnd);
              }
            });
    Semaphore wakes = new Semaphore(0);
    Runnable wake = wakes::release;
    long first = sync.ticket();
    sync.wakeAfterFlush(first, wake);
    firstBegan.await();
    long last = first;
    for (int i = 0; i < 20; i++) {
      last = sync.ticket();
      sync.wakeAfterFlush(last, wake);
    }
    assertThat(sync.trySync(first)).isFalse();
    firstMayEnd.countDown();
    wakes.acquire(2);

    assertThat(sync.trySync(last)).isTrue();
    assertThat(flushes).hasValue(2);
    assertThat(wakes.availablePermits()).isZero();
  }

  @Test
  void whatIsOnDiskWakesAtOnce() {
    GroupSync sync = groupSync(() -> {});
    long ticket = sync.ticket();
    sync.await(ticket);
    AtomicInteger wakes = new AtomicInteger();

    sync.wakeAfterFlush(ticket, wakes::incrementAndGet);

    assertThat(wakes).hasValue(1);
    assertThat(sync.trySync(ticket)).isTrue();
  }

  @Test
  void aFailedFlushWakesAndIsReportedToThoseThatTry() throws Exception {
    AtomicInteger flushes = new AtomicInteger();
    GroupSync sync =
        groupSync(
            () -> {
              if (flushes.incrementAndGet() == 1) {
                throw new StoreException(Reason.DISK_FULL, "the disk is full");
              }
            });
    Semaphore wakes = new Semaphore(0);
    long failed = sync.ticket();
    sync.wakeAfterFlush(failed, wakes::release);
    wakes.acquire();
    assertThatThrownBy(() -> sync.trySync(failed)).isInstanceOf(StoreException.class);

    long later = sync.ticket();
    assertThat(sync.trySync(later)).isFalse();
    sync.wakeAfterFlush(later, wakes::release);
    wakes.acquire();
    assertThat(sync.trySync(later)).isTrue();
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aCommitDuringTheFlushOfACallerIsFlushedSoon() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Flusher flusher =
        new Flusher(
            () -> {
              began.countDown();
              awaitUnchecked(mayEnd);
            });
    flushers.add(flusher);
    GroupSync sync = flusher.groupSync();
    Thread caller = Thread.ofPlatform().start(() -> sync.await(sync.ticket()));
    began.await();
    long unawaited = sync.ticket();
    flusher.start();
    // the flusher sleeps until it is time to flush, and finds the flush of the caller running
    LockSupport.parkNanos(300_000_000);
    mayEnd.countDown();
    caller.join();

    while (sync.syncedThrough() < unawaited) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whoWaitsWhenTheStoreIsClosedIsNotLeftBehind() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    GroupSync sync =
        groupSync(
            () -> {
              began.countDown();
              awaitUnchecked(mayEnd);
            });
    Semaphore wakes = new Semaphore(0);
    sync.wakeAfterFlush(sync.ticket(), wakes::release);
    began.await();
    long second = sync.ticket();
    sync.wakeAfterFlush(second, wakes::release);
    Thread closing = Thread.ofPlatform().start(flushers.getFirst()::close);
    mayEnd.countDown();
    closing.join();
    wakes.acquire(2);

    long third = sync.ticket();
    assertThatThrownBy(() -> sync.await(third))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED));
    sync.wakeAfterFlush(third, wakes::release);
    wakes.acquire();
    assertThatThrownBy(() -> sync.trySync(third)).isInstanceOf(StoreException.class);
  }

  @Test
  void eventLoopsAndThreadsLoseNoWakeUp() throws Exception {
    AtomicInteger flushes = new AtomicInteger();
    GroupSync sync = groupSync(flushes::incrementAndGet);
    Callable<Void> loop =
        () -> {
          Semaphore wakes = new Semaphore(0);
          Runnable wake = wakes::release;
          for (int i = 0; i < 2_000; i++) {
            long ticket = sync.ticket();
            sync.wakeAfterFlush(ticket, wake);
            while (!sync.trySync(ticket)) {
              wakes.acquire();
            }
          }
          return null;
        };
    Callable<Void> blocking =
        () -> {
          for (int i = 0; i < 2_000; i++) {
            sync.await(sync.ticket());
          }
          return null;
        };
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (Future<Void> each :
          threads.invokeAll(List.of(loop, blocking, loop, blocking, loop, blocking))) {
        each.get();
      }
    }
    assertThat(sync.syncedThrough()).isEqualTo(12_000);
    assertThat(flushes.get()).isBetween(1, 12_000);
  }

  @Test
  void whatIsOnDiskIsNotFlushedAgain() {
    AtomicInteger flushes = new AtomicInteger();
    GroupSync sync = groupSync(flushes::incrementAndGet);
    long first = sync.ticket();
    long second = sync.ticket();

    sync.await(second);
    sync.await(first);

    assertThat(flushes).hasValue(1);
  }

  @Test
  void thoseWhoComeDuringAFlushShareTheNextOne() throws Exception {
    AtomicInteger flushes = new AtomicInteger();
    CountDownLatch firstBegan = new CountDownLatch(1);
    CountDownLatch firstMayEnd = new CountDownLatch(1);
    GroupSync sync =
        groupSync(
            () -> {
              if (flushes.incrementAndGet() == 1) {
                firstBegan.countDown();
                awaitUnchecked(firstMayEnd);
              }
            });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> waiting = new ArrayList<>();
      waiting.add(threads.submit(() -> sync.await(sync.ticket())));
      firstBegan.await();
      for (int i = 0; i < 20; i++) {
        long ticket = sync.ticket();
        waiting.add(threads.submit(() -> sync.await(ticket)));
      }
      firstMayEnd.countDown();
      for (Future<?> each : waiting) {
        each.get();
      }
    }

    assertThat(flushes).hasValue(2);
  }

  @Test
  void aFailedFlushFailsAllWhoWaitForIt() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch mayFail = new CountDownLatch(1);
    GroupSync sync =
        groupSync(
            () -> {
              began.countDown();
              awaitUnchecked(mayFail);
              throw new StoreException(Reason.IO, "the disk is on fire");
            });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> waiting = new ArrayList<>();
      waiting.add(threads.submit(() -> assertFails(() -> sync.await(sync.ticket()))));
      began.await();
      for (int i = 0; i < 5; i++) {
        long ticket = sync.ticket();
        waiting.add(threads.submit(() -> assertFails(() -> sync.await(ticket))));
      }
      mayFail.countDown();
      for (Future<?> each : waiting) {
        each.get();
      }
    }
  }

  @Test
  void anInterruptNeitherEndsTheWaitNorGetsLost() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicInteger flushes = new AtomicInteger();
    GroupSync sync =
        groupSync(
            () -> {
              if (flushes.incrementAndGet() == 1) {
                began.countDown();
                awaitUnchecked(mayEnd);
              }
            });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> leader = threads.submit(() -> sync.await(sync.ticket()));
      began.await();
      long ticket = sync.ticket();
      Future<Boolean> follower =
          threads.submit(
              () -> {
                Thread.currentThread().interrupt();
                mayEnd.countDown();
                sync.await(ticket);
                return Thread.interrupted();
              });
      leader.get();
      assertThat(follower.get()).isTrue();
    }
    assertThat(flushes).hasValue(2);
  }

  @Test
  void manyThreadsLoseNoWakeUp() throws Exception {
    AtomicInteger flushes = new AtomicInteger();
    GroupSync sync = groupSync(flushes::incrementAndGet);
    Callable<Void> work =
        () -> {
          for (int i = 0; i < 1_000; i++) {
            sync.await(sync.ticket());
          }
          return null;
        };
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Void> each : threads.invokeAll(Collections.nCopies(50, work))) {
        each.get();
      }
    }
    sync.await(50_000);
    assertThat(flushes.get()).isBetween(1, 50_000);
  }

  @Test
  void aFailedFlushIsFinal() {
    AtomicInteger flushes = new AtomicInteger();
    GroupSync sync =
        groupSync(
            () -> {
              flushes.incrementAndGet();
              throw new StoreException(Reason.IO, "the disk is on fire");
            });
    long ticket = sync.ticket();

    assertFails(() -> sync.await(ticket));
    assertFails(() -> sync.await(ticket));
    assertFails(sync::check);
    assertThat(flushes).hasValue(1);
  }

  @Test
  void aFullDiskMayBecomeUsableAgain() {
    AtomicInteger flushes = new AtomicInteger();
    GroupSync sync =
        groupSync(
            () -> {
              if (flushes.incrementAndGet() == 1) {
                throw new StoreException(Reason.DISK_FULL, "the disk is full");
              }
            });
    long ticket = sync.ticket();

    assertThatThrownBy(() -> sync.await(ticket)).isInstanceOf(StoreException.class);
    sync.check();
    sync.await(ticket);

    assertThat(flushes).hasValue(2);
  }

  @Test
  void aTicketThatNobodyHasIsRefused() {
    GroupSync sync = groupSync(() -> {});

    assertThatThrownBy(() -> sync.await(1)).isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertFails(Runnable work) {
    assertThatThrownBy(work::run)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.IO));
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
