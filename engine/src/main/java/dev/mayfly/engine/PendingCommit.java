package dev.mayfly.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pending commit: writes that are decided and not committed yet, so that several requests share one
 * commit. No outcome may be sent to a client before {@link #await} has returned. Belongs to one
 * thread.
 */
public final class PendingCommit {
  private final List<Part> parts = new ArrayList<>(1);
  private @Nullable RuntimeException unflushed;

  /** The writes of one request in one shard. Implemented by the engine. */
  public interface Part {
    /** Commits the writes, or waits until another thread has, and for the disk if requested. */
    void await();

    /** Does the same without waiting; returns false if it would have to wait. */
    boolean tryCommit();

    /** Returns true once the writes are committed or have failed. */
    boolean isSettled();

    /** Waits until the committed writes survive a power failure, if that was requested. */
    void sync();
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

  /**
   * Returns whether all writes are committed or have failed, so that only the disk is to be waited
   * for, with {@link #awaitFlush}.
   */
  public boolean isCommitted() {
    return parts.stream().allMatch(Part::isSettled);
  }

  /**
   * Waits until the committed writes survive a power failure, if requested. May be called in
   * another thread, while the owner waits for its return. {@link #tryCommit} throws its failure.
   */
  public void awaitFlush() {
    try {
      parts.forEach(Part::sync);
    } catch (RuntimeException failure) {
      unflushed = failure;
    }
  }

  /** As {@link #await}, without blocking. Returns false if it would have to wait. */
  public boolean tryCommit() {
    if (unflushed != null) {
      throw unflushed;
    }
    for (Part part : parts) {
      if (!part.tryCommit()) {
        return false;
      }
    }
    return true;
  }
}
