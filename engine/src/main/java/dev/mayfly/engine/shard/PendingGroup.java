package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Retry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes of several callers that were decided in one group, in advance of its commit. Guarded by
 * the shard's lock.
 *
 * @param now the instant by which all of them were decided
 */
record PendingGroup(WriteGroup group, long now, List<WriteRequest> turns, Set<ByteKey> sessions) {
  PendingGroup(WriteGroup group, long now) {
    this(group, now, new ArrayList<>(), new HashSet<>());
  }

  /**
   * Whether another can join: at the same instant, so that nothing lives longer for the company it
   * is in, not in a session that must see what it did before, and while the batch is small.
   */
  boolean admits(WriteRequest request) {
    Retry retry = request.options().retry();
    return request.instant() == now
        && group.batch().bytes() < WriteQueue.MOST_BYTES_TOGETHER
        && (retry == null || !sessions.contains(retry.session()));
  }

  void add(WriteRequest request) {
    turns.add(request);
    Retry retry = request.options().retry();
    if (retry != null) {
      sessions.add(retry.session());
    }
  }
}
