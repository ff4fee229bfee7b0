package dev.mayfly.engine.shard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Relations of a collection to others, as its shards need them.
 *
 * @param parents the parents of its documents; null if they follow none
 * @param isFollowed whether documents of other collections follow its documents
 * @param followsDeletes whether some of them follow them in a delete, too
 * @param departed set before a parent of the shard departs
 */
public record Family(
    @Nullable Parents parents, boolean isFollowed, boolean followsDeletes, AtomicBoolean departed) {
  static Family none(AtomicBoolean departed) {
    return new Family(null, /* isFollowed= */ false, /* followsDeletes= */ false, departed);
  }

  /**
   * Exclusive locks of a shard whose documents follow parents, and of the shards of the parents.
   * Closing it releases them.
   */
  public static final class Locks implements AutoCloseable {
    private final List<ShardOwner> held;

    private Locks(int most) {
      // presized: no allocation may fail between taking a lock and recording it
      held = new ArrayList<>(most);
    }

    /**
     * Takes the locks in the order of the shards' numbers, as transactions do. If the parents
     * change meanwhile, it starts again.
     */
    @SuppressWarnings("ReferenceEquality") // the same parents, not equal ones
    public static Locks of(ShardOwner owner) {
      while (true) {
        Parents parents = owner.view().family().parents();
        List<ShardOwner> owners = new ArrayList<>(parents == null ? List.of() : parents.owners());
        owners.add(owner);
        Locks locks = new Locks(owners.size());
        boolean done = false;
        try {
          locks.take(owners);
          done = owner.view().family().parents() == parents;
        } finally {
          if (!done) {
            locks.close();
          }
        }
        if (done) {
          return locks;
        }
      }
    }

    private void take(List<ShardOwner> owners) {
      owners.sort(Comparator.comparingInt(owner -> owner.shard().number()));
      for (ShardOwner owner : owners) {
        owner.lock().lock();
        held.add(owner);
      }
    }

    @Override
    public void close() {
      for (int i = 0; i < held.size(); i++) {
        held.get(i).lock().unlock();
      }
    }
  }
}
