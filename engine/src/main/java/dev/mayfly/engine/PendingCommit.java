package dev.mayfly.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes whose outcome is known and whose commit is yet to come, so that several callers share it:
 * nobody is to be told of an outcome before {@link #await} has returned. Belongs to one thread.
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

    /** Waits until the committed writes survive a loss of power, if that was requested. */
    void sync();
  }

  /** Adds writes whose outcome is known. Called by the engine. */
  public void add(Part part) {
    parts.add(part);
  }

  /** Whether nothing was promised. */
  public boolean isEmpty() {
    return parts.isEmpty();
  }

  /**
   * Commits what was promised, unless another has done so by keeping his own, and waits for the
   * disk where that was asked for.
   *
   * @throws RuntimeException what the commit failed with: nothing was written then; or what the
   *     flush failed with
   */
  public void await() {
    for (Part part : parts) {
      part.await();
    }
  }

  /**
   * Whether all is committed, or has failed, so that only the disk may be waited for: many can wait
   * for it together, by {@link #awaitFlush}.
   */
  public boolean isCommitted() {
    return parts.stream().allMatch(Part::isSettled);
  }

  /**
   * Waits until what is committed survives a loss of power, where that was asked for. May be called
   * in another thread than the rest; that goes on when this has returned. What it fails with is
   * thrown by {@link #tryCommit}.
   */
  public void awaitFlush() {
    try {
      parts.forEach(Part::sync);
    } catch (RuntimeException failure) {
      unflushed = failure;
    }
  }

  /** As {@link #await}; false when that has to wait, for the store or for somebody else. */
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
