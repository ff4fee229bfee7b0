package dev.mayfly.engine.sweep;

/** Work of a {@link BackgroundTask} that rests after its slices as the {@link Pacer} has it. */
public abstract class PacedWork implements BackgroundTask.Work {
  private final Pacer pacer;
  private long rest;

  public PacedWork(Pacer pacer) {
    this.pacer = pacer;
  }

  /** Does one slice; true while there is more to do. */
  public abstract boolean work();

  /** How long there has been more to do than was done, in milliseconds of the engine's time. */
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
