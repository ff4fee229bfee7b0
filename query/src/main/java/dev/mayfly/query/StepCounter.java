package dev.mayfly.query;

import dev.mayfly.query.limit.Interrupt;

/**
 * Counter of steps that an evaluator has not yet reported to the {@link Interrupt} of its thread.
 *
 * <p>For evaluators that outlive a request: they count in a field of their own and look up the
 * thread's interruption point once for many steps. For one thread at a time.
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
