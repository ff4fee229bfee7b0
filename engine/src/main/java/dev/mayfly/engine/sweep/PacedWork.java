package dev.mayfly.engine.sweep;

/**
 * Work of a {@link BackgroundTask} that rests after each slice for a time that the {@link Pacer}
 * determines.
 */
public abstract class PacedWork implements BackgroundTask.Work {
  private final Pacer pacer;
  private long rest;

  public PacedWork(Pacer pacer) {
    this.pacer = pacer;
  }

  /** Does one slice; returns whether work remains. */
  public abstract boolean work();

  /** Returns how long the work has lagged, in milliseconds of the engine's time. */
  public long lagMillis() {
    return 0;
  }

  @Override
  public final boolean slice() {
    long before = pacer.operations();
    long start = pacer.ticks();
    boolean more = false;
    try {
      more = work();
    } finally {
      pacer.busy(this, more);
    }
    rest = pacer.rest(before, pacer.ticks() - start, lagMillis());
    return more;
  }

  @Override
  public long rest() {
    return rest;
  }
}
