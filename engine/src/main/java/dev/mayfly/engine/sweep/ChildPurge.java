package dev.mayfly.engine.sweep;

import dev.mayfly.engine.liveness.Liveness;
import dev.mayfly.engine.read.DeadChildren;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.shard.WriteGroup;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Removal of children at once, before a change of the catalog after which they would come back. The
 * callers hold the locks of all shards concerned.
 */
public final class ChildPurge {
  /** Maximum number of documents in one commit. */
  private static final int MAX_GROUP = 512;

  private ChildPurge() {}

  /**
   * Removes the children of dead parents, as the sweep would do later.
   *
   * @param owners of the shards of the children
   */
  public static void purge(List<ShardOwner> owners, long now) {
    Map<ShardOwner, List<byte[]>> dead = new HashMap<>();
    DeadChildren.forEach(
        owners,
        now,
        now,
        child ->
            dead.computeIfAbsent(child.owner(), _ -> new ArrayList<>()).add(child.primaryKey()));
    dead.forEach(
        (owner, keys) -> {
          for (int from = 0; from < keys.size(); from += MAX_GROUP) {
            WriteGroup group = owner.group(now);
            keys.subList(from, Math.min(from + MAX_GROUP, keys.size()))
                .forEach(group::removeExpired);
            owner.commit(group);
          }
        });
  }

  /** Lets all live parents of a shard depart as if they were deleted. */
  public static void departAll(ShardOwner owner, long now) {
    Liveness liveness = owner.liveness(now);
    try (Scan scan = owner.shard().scan(Space.RECORDS, Range.all(), Direction.UP)) {
      boolean more = true;
      while (more) {
        WriteGroup group = owner.group(now);
        int count = 0;
        while (count < MAX_GROUP && more) {
          more = scan.next();
          if (more && liveness.isLive(scan.value(), scan.key())) {
            group.depart(scan.key(), now, /* deleted= */ true);
            count++;
          }
        }
        if (count > 0) {
          owner.commit(group);
        }
      }
    }
  }
}
