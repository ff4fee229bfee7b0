package dev.mayfly.engine;

/** Work of a {@link Chore} that rests after its slices as the {@link Pacer} has it. */
abstract class PacedWork implements Chore.Work {
  private final Pacer pacer;
  private long rest;

  PacedWork(Pacer pacer) {
    this.pacer = pacer;
  }

  /** Does one slice; true while there is more to do. */
  abstract boolean work();

  /** How long there has been more to do than was done, in milliseconds of the engine's time. */
  long lagMillis() {
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
