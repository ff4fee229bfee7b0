package dev.mayfly.net;

/**
 * Adaptive spinning of an event loop: how long it polls for requests before it blocks.
 *
 * <p>Waking a thread takes longer than a client needs to send its next request, but polling in vain
 * wastes a core. So the number of polls is halved after each failure and reset after a success. For
 * one thread.
 */
public final class AdaptiveSpin {
  /** About 100 us. */
  private static final int MOST_LOOKS = 128;

  /** After this number of blocks it spins at full length once. */
  private static final int SLEEPS_UNTIL_TRIED = 32;

  private int looks = MOST_LOOKS;
  private int sleeps;

  /** Polls for work. */
  public interface Look<X extends Exception> {
    /** Whether there is work. */
    boolean found() throws X;
  }

  /** Polls until there is work; returns false if the loop should block. */
  @SuppressWarnings("ThreadPriorityCheck") // the yield only reduces latency
  public <X extends Exception> boolean keep(Look<X> look) throws X {
    for (int i = 0; i < looks; i++) {
      if (look.found()) {
        looks = MOST_LOOKS;
        return true;
      }
      // another thread may be about to produce the work
      Thread.yield();
    }
    sleeps++;
    looks = sleeps % SLEEPS_UNTIL_TRIED == 0 ? MOST_LOOKS : looks / 2;
    return false;
  }
}
