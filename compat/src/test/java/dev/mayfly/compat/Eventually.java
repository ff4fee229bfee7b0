package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for an asynchronous condition of a server. */
final class Eventually {
  private static final int ATTEMPTS = 3_000;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private Eventually() {}

  /** Polls until the condition holds; fails after half a minute. */
  static void holds(String description, BooleanSupplier condition) {
    for (int i = 0; i < ATTEMPTS; i++) {
      if (condition.getAsBoolean()) {
        return;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    fail("not reached in time: " + description);
  }
}
