package dev.mayfly.engine.shard;

import dev.mayfly.engine.Change.Cause;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.expiry.Header;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;

/**
 * The order in which documents came into a capped collection, by which they leave it again. Guarded
 * by the shard's lock but for {@link #first}.
 */
public final class CappedOrder {
  private final ShardOwner owner;

  /** Below it nobody is left. */
  private volatile long cursor = Long.MIN_VALUE;

  CappedOrder(ShardOwner owner) {
    this.owner = owner;
  }

  /** Where the arrivals of a capped collection begin, or lower. */
  public long first() {
    return cursor;
  }

  /** Removes the oldest live documents of a capped collection until the rest fits. */
  void makeRoom(WriteGroup group) {
    CollectionSpec spec = owner.compiled().spec();
    Range arrivals = Range.of(Layout.arrival(cursor), Layout.arrival(owner.sequence().peek()));
    boolean contiguous = true;
    try (Scan oldest = owner.shard().scan(Space.QUEUES, arrivals, Direction.UP)) {
      while (overfull(spec, group.delta().liveAfter()) && oldest.next()) {
        contiguous &= giveWay(group, oldest.value(), Layout.position(oldest.key()));
        if (contiguous) {
          group.arrivalsBeginAt(Layout.position(oldest.key()));
        }
      }
    }
    for (byte[] key : group.arrived()) {
      byte[] record = group.current(key);
      if (record != null && overfull(spec, group.delta().liveAfter())) {
        giveWay(group, key, Header.born(record, 0));
      }
    }
  }

  /** Notes that a group has been committed. */
  void committed(WriteGroup group) {
    cursor = Math.max(cursor, group.arrivalsBegin());
  }

  /**
   * Takes a document out of a capped collection; false when it is dead but not swept, and might
   * come back. Its id may long belong to another, where the store has dropped it by itself.
   */
  private boolean giveWay(WriteGroup group, byte[] key, long born) {
    byte[] record = group.current(key);
    if (record == null
        || Header.born(record, 0) != born
        || owner.sweptLanes().covers(record, key)) {
      group.batch().delete(Space.QUEUES, Layout.arrival(born));
      return true;
    }
    if (owner.documentCounts().counted().expired(record)) {
      return false;
    }
    group.delete(
        PrimaryKey.of(owner.compiled().spec(), WriteGroup.documentOf(record)), record, Cause.CAP);
    return true;
  }

  private static boolean overfull(CollectionSpec spec, Usage live) {
    return live.documents() > 1 && spec.cap().exceededBy(live);
  }
}
