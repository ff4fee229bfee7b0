package dev.mayfly.http;

/**
 * Reply to a write that has begun: it may be sent after the commit, and after the flush to disk.
 */
public interface PendingReply {
  /** Commits unless that would block. Returns whether {@link #reply} returns without blocking. */
  boolean tryComplete();

  /**
   * As {@link #tryComplete}, after that has returned false, for an event loop without other work:
   * it may flush to disk in the calling thread, if flushes are short at present.
   */
  boolean tryFlush();

  /**
   * Calls {@code wake} when it is time to call {@link #tryComplete} again, if only a flush to disk
   * is to be waited for. One flush calls the same object once. Does not block.
   *
   * @param wake returns at once and throws nothing; called in any thread, also before this returns
   * @return false if a thread that may block must call {@link #reply} instead
   */
  boolean wakeAfterFlush(Runnable wake);

  /** Returns the reply; blocks until the commit. Reports a failed commit as a reply. */
  Reply reply();
}
