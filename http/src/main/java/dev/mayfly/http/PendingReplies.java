package dev.mayfly.http;

/** A reply that is made, and is to be sent once what it says is so. */
public interface PendingReplies {
  /** Makes it so, unless that takes a wait: whether the reply can be sent. */
  boolean ready();

  /** The reply; waits until it can be sent. */
  Reply reply();
}
