package dev.mayfly.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.util.ArrayList;
import java.util.List;
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
