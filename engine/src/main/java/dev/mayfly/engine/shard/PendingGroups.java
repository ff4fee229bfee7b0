package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Retry;
import dev.mayfly.engine.WouldBlock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Groups of deferred writes of one shard, one per thread: each event loop collects the writes of
 * its round in a group of its own and commits them together. A thread that needs the shard
 * exclusively commits the groups of all others.
 */
final class PendingGroups {
  private final ShardOwner owner;
  private final Map<Thread, PendingGroup> groups = new ConcurrentHashMap<>();

  PendingGroups(ShardOwner owner) {
    this.owner = owner;
  }

  /**
   * Returns the open group of this thread, or begins one.
   *
   * @throws WouldBlock if that would have to wait
   */
  PendingGroup current(long now) {
    Thread thread = Thread.currentThread();
    @Nullable PendingGroup group = groups.get(thread);
    if (group == null) {
      group = new PendingGroup(owner.nonBlockingGroup(now));
      groups.put(thread, group);
    }
    return group;
  }

  /**
   * Commits a group, unless that was done. Throws nothing: its requests receive a failure.
   *
   * @return false if that would have to wait and must not
   */
  boolean commit(PendingGroup group, boolean mayWait) {
    synchronized (group) {
      if (!group.isOpen()) {
        return true;
      }
      try {
        if (!owner.commitShared(group.shared(), group.requests(), mayWait)) {
          return false;
        }
      } catch (RuntimeException | Error failure) {
        WriteRequest.failAll(group.requests(), failure);
      }
      end(group);
      return true;
    }
  }

  /** Fails all requests of a group: its batch contains a part of a write. */
  void abandon(PendingGroup group, Throwable failure) {
    synchronized (group) {
      if (group.isOpen()) {
        WriteRequest.failAll(group.requests(), failure);
        end(group);
      }
    }
  }

  private void end(PendingGroup group) {
    groups.values().remove(group);
    group.end();
  }

  /** Commits the groups of all threads. */
  void commitAll() {
    if (!groups.isEmpty()) {
      groups.values().forEach(group -> commit(group, true));
    }
  }

  /**
   * Write group of deferred writes: decided, not committed yet, with the requests in it. The thread
   * that has begun it adds requests; any thread may commit it. Guarded by its own monitor.
   */
  static final class PendingGroup {
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
     * Returns whether a request can join. It must have the same instant, because expiry is decided
     * at one instant for the whole group. Its session must not have a request in the group, because
     * it would have to see the receipt. The batch must be small.
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
}
