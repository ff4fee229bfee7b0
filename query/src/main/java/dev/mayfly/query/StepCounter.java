package dev.mayfly.query;

/**
 * Steps that an evaluator has taken and not yet counted in the {@link Interrupt} of its thread.
 *
 * <p>For evaluators that live longer than a request: they count in a field of their own and look
 * the thread's interruption point up once for many steps. For one thread at a time.
 */
public final class StepCounter {
  private static final int TOGETHER = 64;

  private int taken;

  /** Counts a step. */
  public void step() {
    if (++taken >= TOGETHER) {
      count();
    }
  }

  /** Counts several steps. */
  public void step(int count) {
    taken += Math.min(count, Integer.MAX_VALUE / 2);
    if (taken >= TOGETHER) {
      count();
    }
  }

  private void count() {
    int count = taken;
    taken = 0;
    Interrupt.steps(count);
  }
}
