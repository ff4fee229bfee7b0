package dev.mayfly.query.limit;

import java.util.Comparator;
import java.util.function.Supplier;

/**
 * Interruption point of the work that a thread does for one request.
 *
 * <p>Every loop whose length a client can choose counts its steps here. Every {@value #INTERVAL}
 * steps, the request's check runs; it throws if the work must stop. A step is about a microsecond
 * at most: more expensive work counts as several, as {@link #ofBytes} does for copying and
 * comparing. Only the check reads the clock, not each step.
 *
 * <p>A scoped value of the calls inside {@link #run}, because the loops are in functions of values,
 * comparators and matchers that know nothing of requests. Objects that outlive a call, such as the
 * rows of a cursor, must not keep the instance: the next batch belongs to another request and often
 * to another thread. Calls outside {@code run} are never stopped.
 */
public final class Interrupt {
  private static final int INTERVAL = 1024;
  private static final ScopedValue<Interrupt> CURRENT = ScopedValue.newInstance();

  private Runnable request;
  private int left = INTERVAL;

  private Interrupt(Runnable request) {
    this.request = request;
  }

  /** The check of work that nothing stops. */
  private static void never() {}

  /**
   * Returns the interruption point of this thread, for a loop that ends before its method returns.
   */
  public static Interrupt current() {
    return CURRENT.isBound() ? CURRENT.get() : new Interrupt(Interrupt::never);
  }

  /** Counts steps in this thread. */
  public static void steps(int count) {
    if (CURRENT.isBound()) {
      CURRENT.get().step(count);
    }
  }

  /** Returns the number of steps for processing this number of bytes. */
  public static int ofBytes(int bytes) {
    return 1 + (bytes >>> 10);
  }

  /**
   * Runs work that a request may stop.
   *
   * @param request throws if the work must stop
   */
  public static <T> T run(Runnable request, Supplier<T> work) {
    return CURRENT.isBound()
        ? CURRENT.get().asking(request, work)
        : ScopedValue.where(CURRENT, new Interrupt(request)).call(work::get);
  }

  /** Runs a thread that serves many requests, so that each costs less to bind. */
  public static void bound(Runnable thread) {
    ScopedValue.where(CURRENT, new Interrupt(Interrupt::never)).run(thread);
  }

  /** Runs work that must not be interrupted. */
  public static <T> T uninterrupted(Supplier<T> work) {
    return CURRENT.isBound() ? CURRENT.get().asking(Interrupt::never, work) : work.get();
  }

  /**
   * Returns the current check of this thread: for {@link #run} in another thread that does part of
   * its work.
   */
  public static Runnable request() {
    return CURRENT.isBound() ? CURRENT.get().request : Interrupt::never;
  }

  private <T> T asking(Runnable other, Supplier<T> work) {
    Runnable before = request;
    int leftBefore = left;
    request = other;
    left = INTERVAL;
    try {
      return work.get();
    } finally {
      request = before;
      left = leftBefore;
    }
  }

  /** Returns the order with each comparison counted as a step of this thread. */
  public static <T> Comparator<T> counting(Comparator<T> order) {
    Interrupt current = current();
    return (a, b) -> {
      current.step();
      return order.compare(a, b);
    };
  }

  /** Counts a step. */
  public void step() {
    if (--left <= 0) {
      check();
    }
  }

  /** Counts several steps. */
  public void step(int count) {
    left -= Math.min(count, INTERVAL);
    if (left <= 0) {
      check();
    }
  }

  private void check() {
    left = INTERVAL;
    request.run();
  }
}
