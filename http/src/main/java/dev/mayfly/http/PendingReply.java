package dev.mayfly.http;

/** Reply to a write that has begun: it may be sent after the commit. */
public interface PendingReply {
  /** Commits unless that would block. Returns whether {@link #reply} returns without blocking. */
  boolean tryComplete();

  /** Returns the reply; blocks until the commit. Reports a failed commit as a reply. */
  Reply reply();
}
