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
   * one instant for the whole group. Its session must not have another request in the group: it
   * might be a retry, and would not see the receipt. The batch must be below its maximum size.
   */
  boolean admits(WriteRequest request) {
    Retry retry = request.options().retry();
    return request.instant() == now
        && group.batch().bytes() < WriteQueue.MAX_SHARED_BYTES
        && (retry == null || !sessions.contains(retry.session()));
  }

  void add(WriteRequest request) {
    assert request.instant() == now;
    requests.add(request);
    Retry retry = request.options().retry();
    if (retry != null) {
      sessions.add(retry.session());
    }
  }
}
