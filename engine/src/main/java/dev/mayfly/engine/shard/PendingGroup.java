package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Retry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Write group of deferred writes: decided, not committed yet, with the requests in it. The thread
 * that has begun it adds requests; any thread may commit it. Guarded by its own monitor.
 */
final class PendingGroup {
  /** Maximum size of a batch that further requests may join; a batch is copied twice. */
  private static final long MAX_BATCH_BYTES = 16 << 20;

  private final SharedGroup shared;
  private final List<WriteRequest> requests = new ArrayList<>();
  private final Set<ByteKey> sessions = new HashSet<>();
  private boolean open = true;

  PendingGroup(SharedGroup shared) {
    this.shared = shared;
  }

  SharedGroup shared() {
    return shared;
  }

  WriteGroup group() {
    return shared.group();
  }

  List<WriteRequest> requests() {
    return requests;
  }

  /** Returns whether it is neither committed nor abandoned. */
  boolean isOpen() {
    return open;
  }

  /**
   * Returns whether a request can join. It must have the same instant, because expiry is decided at
   * one instant for the whole group. Its session must not have a request in the group, because it
   * would have to see the receipt. The batch must be small.
   */
  boolean admits(WriteRequest request) {
    Retry retry = request.options().retry();
    return request.instant() == group().now()
        && group().batch().bytes() < MAX_BATCH_BYTES
        && (retry == null || !sessions.contains(retry.session()));
  }

  void add(WriteRequest request) {
    assert request.instant() == group().now();
    requests.add(request);
    Retry retry = request.options().retry();
    if (retry != null) {
      sessions.add(retry.session());
    }
  }

  /** Ends the group and releases its locks. All its requests are committed or have failed. */
  void end() {
    assert open;
    open = false;
    WriteRequest.settleAll(requests);
    shared.close();
  }
}
