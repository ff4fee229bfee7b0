package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Retry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Write group that is decided and not committed, with the requests in it. Guarded by the shard's
 * lock.
 *
 * @param now the instant at which all requests are decided
 */
record PendingGroup(
    WriteGroup group, long now, List<WriteRequest> requests, Set<ByteKey> sessions) {
  PendingGroup(WriteGroup group, long now) {
    this(group, now, new ArrayList<>(), new HashSet<>());
  }

  /**
   * Returns whether a request can join. It must have the same instant, because expiry is decided at
   * one instant for the whole group. Its session must not have a request in the group, whose
   * receipt it would have to see. The batch must be small.
   */
  boolean admits(WriteRequest request) {
    Retry retry = request.options().retry();
    return request.instant() == now
        && group.batch().bytes() < WriteQueue.MOST_BYTES_TOGETHER
        && (retry == null || !sessions.contains(retry.session()));
  }

  void add(WriteRequest request) {
    requests.add(request);
    Retry retry = request.options().retry();
    if (retry != null) {
      sessions.add(retry.session());
    }
  }
}
