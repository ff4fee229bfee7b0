package dev.mayfly.store.cassandra;

/**
 * Pace of commits by the lag of checkpoints: commits are slowed down little by little, before
 * memory is full and all of them would have to stop.
 *
 * <p>While less than half of the allowed memory is unflushed, nothing is delayed. Above that, a
 * commit of n bytes is delayed by up to twice the time that the last checkpoint took for n bytes:
 * at three quarters, writers and checkpoints are equally fast. Safe for many threads.
 */
final class Admission {
  private static final int MIN_IN_FLIGHT = 2;
  private static final int MAX_IN_FLIGHT = 24;
  private static final long MAX_PAUSE_NANOS = 500_000_000;

  private final long unflushedBytes;

  /** Duration of the last checkpoint per byte; 0 before the first one. */
  private volatile double nanosPerByte;

  Admission(long unflushedBytes) {
    this.unflushedBytes = unflushedBytes;
  }

  /** Records how long a checkpoint took. */
  void flushed(long bytes, long nanos) {
    if (bytes > 0) {
      nanosPerByte = (double) nanos / bytes;
    }
  }

  /** Returns how long a commit waits, in nanoseconds. */
  long pause(long commitBytes, long unflushed) {
    double above = (double) unflushed / unflushedBytes - 0.5;
    double share = Math.clamp(above * 2, 0, 1);
    return (long) Math.min(share * 2 * nanosPerByte * commitBytes, MAX_PAUSE_NANOS);
  }

  /**
   * Returns how many statements of a checkpoint are executed at the same time: few while there is
   * room, so that commits hardly notice them, and more the more is unflushed.
   */
  int inFlight(long unflushed) {
    long more = (MAX_IN_FLIGHT - MIN_IN_FLIGHT) * unflushed / unflushedBytes;
    return MIN_IN_FLIGHT + (int) Math.min(more, MAX_IN_FLIGHT - MIN_IN_FLIGHT);
  }

  /** Returns whether commits must stop until the next checkpoint is written. */
  boolean isFull(long unflushed) {
    return unflushed > unflushedBytes;
  }
}
