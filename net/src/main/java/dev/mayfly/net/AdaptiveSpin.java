package dev.mayfly.net;

/**
 * Adaptive spinning of an event loop: how long it polls for requests before it blocks.
 *
 * <p>Waking a thread takes longer than a client needs to send its next request, but polling in vain
 * wastes a core. So the number of polls is halved after each failure and reset after a success. For
 * one thread.
 */
public final class AdaptiveSpin {
  /** Polls of a full spin, about 100 microseconds. */
  private static final int MAX_POLLS = 128;

  /** After this number of blocks, the loop tries a full spin again. */
  private static final int BLOCKS_PER_FULL_SPIN = 32;

  private int polls = MAX_POLLS;
  private int blocks;

  /** Polls for work. */
  public interface Poll<X extends Exception> {
    /** Whether there is work. */
    boolean found() throws X;
  }

  /** Polls until there is work; returns false if the loop should block. */
  @SuppressWarnings("ThreadPriorityCheck") // the yield only reduces latency
  public <X extends Exception> boolean keep(Poll<X> poll) throws X {
    for (int i = 0; i < polls; i++) {
      if (poll.found()) {
        polls = MAX_POLLS;
        return true;
      }
      // another thread may be about to produce the work
      Thread.yield();
    }
    blocks++;
    polls = blocks % BLOCKS_PER_FULL_SPIN == 0 ? MAX_POLLS : polls / 2;
    return false;
  }
}
