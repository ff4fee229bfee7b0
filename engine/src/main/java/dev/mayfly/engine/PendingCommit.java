package dev.mayfly.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * Pending commit: writes that are decided and not committed yet, so that several requests share one
 * commit. No outcome may be sent to a client before {@link #await} has returned or {@link
 * #tryCommit} has returned true. Belongs to one thread.
 *
 * <pre>{@code
 * if (pending.tryCommit()) {
 *   send();
 * } else if (pending.wakeAfterFlush(wake)) {
 *   // tryCommit again when this thread was woken
 * } else {
 *   onAnotherThread(() -> { pending.await(); send(); });
 * }
 * }</pre>
 */
public final class PendingCommit {
  private final List<Part> parts = new ArrayList<>(1);

  /** The writes of one request in one shard. Implemented by the engine. */
  public interface Part {
    /** Commits the writes, or waits until another thread has, and for the disk if requested. */
    void await();

    /** Does the same without waiting; returns false if it would have to wait. */
    boolean tryCommit();

    /** Returns true once the writes are committed or have failed. */
    boolean isSettled();

    /**
     * Flushes the committed writes in the calling thread, if that was requested and a flush is
     * expected to be short. Returns false if it would have to wait.
     */
    boolean tryFlush();

    /**
     * Calls {@code wake} after each flush until the committed writes survive a loss of power or the
     * flush has failed, if that was requested. Does not wait.
     */
    void wakeAfterFlush(Runnable wake);
  }

  /** Adds writes whose outcome is known. Called by the engine. */
  public void add(Part part) {
    parts.add(part);
  }

  /** Returns whether there are no writes. */
  public boolean isEmpty() {
    return parts.isEmpty();
  }

  /**
   * Commits the writes, unless another thread has, and waits for the disk if requested.
   *
   * @throws RuntimeException the failure of the commit, after which nothing was written, or of the
   *     flush
   */
  public void await() {
    for (Part part : parts) {
      part.await();
    }
  }

  /** As {@link #await}, without blocking. Returns false if it would have to wait. */
  public boolean tryCommit() {
    for (Part part : parts) {
      if (!part.tryCommit()) {
        return false;
      }
    }
    return true;
  }

  /**
   * As {@link #tryCommit}, after that has returned false, for an event loop without other work: it
   * may flush in the calling thread, if flushes are short at present.
   */
  public boolean tryFlush() {
    if (!isSettled()) {
      return false;
    }
    for (Part part : parts) {
      if (!part.tryFlush()) {
        return false;
      }
    }
    return true;
  }

  private boolean isSettled() {
    for (Part part : parts) {
      if (!part.isSettled()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Calls {@code wake} when it is time to call {@link #tryCommit} again, if all writes are
   * committed and only the disk is to be waited for. Requests that pass the same object are woken
   * together, once per flush. Does not block.
   *
   * @param wake must return at once and throw nothing; called in any thread, also before this
   *     returns
   * @return false if a thread that may block must call {@link #await} instead
   */
  public boolean wakeAfterFlush(Runnable wake) {
    if (!isSettled()) {
      return false;
    }
    for (Part part : parts) {
      part.wakeAfterFlush(wake);
    }
    return true;
  }
}
