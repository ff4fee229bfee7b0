package dev.mayfly.engine.shard;

import dev.mayfly.engine.WouldBlock;
import java.util.Map;
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
}
