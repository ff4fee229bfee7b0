package dev.mayfly.engine.shard;

import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.liveness.ParentKeys;
import dev.mayfly.engine.liveness.ParentLookup;
import dev.mayfly.store.Snapshot;
import java.util.ArrayList;
import java.util.List;

/**
 * Collection that the documents of another one follow.
 *
 * @param name the name of the collection of the parents
 * @param owners of its shards, in their order
 */
public record Parents(String name, ParentKeys keys, List<ShardOwner> owners) {
  public Parents {
    owners = List.copyOf(owners);
  }

  /** Returns a look-up in the present state of the parents, for any thread. */
  public ParentLookup lookup(long now) {
    return ParentLookup.shared(keys, owners.stream().map(owner -> owner.parentView(now)).toList());
  }

  /**
   * Takes snapshots of the parents. To be taken before that of the children: then it has each
   * parent whose departure has left children.
   */
  public Snapshots snapshots() {
    return new Snapshots();
  }

  /** Snapshots of all shards of the parents. Must be closed. */
  public final class Snapshots implements AutoCloseable {
    private final List<ShardOwner.View> views = new ArrayList<>();
    private final List<Snapshot> snapshots = new ArrayList<>();
    private final List<Boolean> departed = new ArrayList<>();

    private Snapshots() {
      for (ShardOwner owner : owners) {
        views.add(owner.view());
        snapshots.add(owner.shard().snapshot());
        // after the snapshot: if it is false, no child of a departed parent is left from now on
        departed.add(owner.departed());
      }
    }

    /**
     * Returns a look-up that remembers the last parent, for one thread.
     *
     * @param since the confirmed time when the read began
     */
    public ParentLookup lookup(long now, long since) {
      List<StoredParents.Seen> shards = new ArrayList<>();
      for (int i = 0; i < owners.size(); i++) {
        shards.add(
            new StoredParents.Seen(
                owners.get(i),
                views.get(i),
                views.get(i).liveness(now, null),
                snapshots.get(i),
                departed.get(i),
                now,
                since));
      }
      return ParentLookup.remembering(keys, shards);
    }

    /** Returns the snapshot of a shard. */
    public Snapshot of(int shard) {
      return snapshots.get(shard);
    }

    /** Returns the view of a shard, not later than its snapshot. */
    public ShardOwner.View view(int shard) {
      return views.get(shard);
    }

    @Override
    public void close() {
      snapshots.forEach(Snapshot::close);
    }
  }

  static EngineException dropped(String name) {
    return new EngineException(
        Reason.SNAPSHOT_TOO_OLD,
        "collection " + name + ", which the documents follow, was dropped during the query");
  }
}
