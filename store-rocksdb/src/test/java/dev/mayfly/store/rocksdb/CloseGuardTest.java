package dev.mayfly.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closing an object that other threads use or close. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CloseGuardTest {
  @Test
  void theSecondToCloseWaitsUntilTheFirstHasFreed() throws Exception {
    CloseGuard closeGuard = new CloseGuard("it");
    CountDownLatch freeing = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    List<String> freed = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      Future<?> first =
          pool.submit(
              () ->
                  closeGuard.close(
                      () -> {
                        freeing.countDown();
                        await(mayEnd);
                        freed.add("by the first");
                      }));
      freeing.await();
      Future<?> second = pool.submit(() -> closeGuard.close(() -> freed.add("by the second")));
      assertThat(ends(second)).isFalse();
      mayEnd.countDown();
      first.get();
      second.get();
    }
    assertThat(freed).containsExactly("by the first");
  }

  @Test
  void closingWaitsForThoseInsideAndKeepsOthersOut() throws Exception {
    CloseGuard closeGuard = CloseGuard.ofManyThreads("it");
    AtomicBoolean freed = new AtomicBoolean();
    AtomicInteger usedAfterFree = new AtomicInteger();
    try (ExecutorService pool = Executors.newFixedThreadPool(5)) {
      CountDownLatch used = new CountDownLatch(4);
      for (int i = 0; i < 4; i++) {
        pool.execute(
            () -> {
              try {
                while (true) {
                  long stamp = closeGuard.enter();
                  usedAfterFree.addAndGet(freed.get() ? 1 : 0);
                  closeGuard.exit(stamp);
                  used.countDown();
                }
              } catch (StoreException closed) {
                assertThat(closed.reason()).isEqualTo(StoreException.Reason.CLOSED);
              }
            });
      }
      used.await();
      long stamp = closeGuard.enter();
      Future<?> closing = pool.submit(() -> closeGuard.close(() -> freed.set(true)));
      assertThat(ends(closing)).isFalse();
      closeGuard.exit(stamp);
      closing.get();
    }
    assertThat(freed).isTrue();
    assertThat(usedAfterFree).hasValue(0);
    assertThatThrownBy(closeGuard::enter).isInstanceOf(StoreException.class);
  }

  @Test
  void whatIsLentWhileAllIsClosedIsClosedToo() {
    OpenHandles openHandles = new OpenHandles();
    List<Integer> closed = new ArrayList<>();
    lend(openHandles, 0, closed);
    openHandles.closeAll();
    assertThat(closed).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  }

  /** Lends something that lends the next when it is closed. */
  private static void lend(OpenHandles openHandles, int number, List<Integer> closed) {
    openHandles.add(
        number,
        () -> {
          closed.add(number);
          if (number < 9) {
            lend(openHandles, number + 1, closed);
          }
          openHandles.remove(number);
        });
  }

  private static boolean ends(Future<?> work) throws Exception {
    try {
      work.get(100, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException waits) {
      return false;
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
