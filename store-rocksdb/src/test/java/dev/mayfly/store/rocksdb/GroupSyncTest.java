package dev.mayfly.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class GroupSyncTest {
  @Test
  void aLoneCallerFlushesInItsOwnThread() {
    List<Thread> flushers = new ArrayList<>();
    GroupSync sync = new GroupSync(() -> flushers.add(Thread.currentThread()));

    sync.await(sync.ticket());

    assertThat(flushers).containsExactly(Thread.currentThread());
  }

  @Test
  void whatIsOnDiskIsNotFlushedAgain() {
    AtomicInteger flushes = new AtomicInteger();
    GroupSync sync = new GroupSync(flushes::incrementAndGet);
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
        new GroupSync(
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
        new GroupSync(
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
        new GroupSync(
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
    GroupSync sync = new GroupSync(flushes::incrementAndGet);
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
        new GroupSync(
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
        new GroupSync(
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
    GroupSync sync = new GroupSync(() -> {});

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
