package dev.mayfly.mongo.testing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Repeats checks of what another thread or server does soon. */
public final class Eventually {
  private static final int ATTEMPTS = 1_000;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private Eventually() {}

  /** Repeats a check until it passes; fails after a while. */
  public static void holds(Runnable check) {
    var _ =
        get(
            () -> {
              check.run();
              return true;
            });
  }

  /** Repeats a call until it does not fail. Returns its result. */
  public static <T> T get(Supplier<T> call) {
    for (int i = 1; i < ATTEMPTS; i++) {
      try {
        return call.get();
      } catch (RuntimeException | AssertionError notYet) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    return call.get();
  }
}
