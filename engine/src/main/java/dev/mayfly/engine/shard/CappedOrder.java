package dev.mayfly.engine.shard;

import dev.mayfly.engine.Change.Cause;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.expiry.Header;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;

/**
 * Insertion order of a capped collection, which is also the order of removal. Guarded by the
 * shard's lock, except {@link #first}.
 */
public final class CappedOrder {
  private final ShardOwner owner;

  /** The collection has no document that was born below it. */
  private volatile long cursor = Long.MIN_VALUE;

  CappedOrder(ShardOwner owner) {
    this.owner = owner;
  }

  /** A lower bound of the birth of the oldest document. */
  public long first() {
    return cursor;
  }

  /** Removes the oldest live documents until the rest is within the limits. */
  void makeRoom(WriteGroup group) {
    CollectionSpec spec = owner.compiled().spec();
    Range arrivals = Range.of(Layout.arrival(cursor), Layout.arrival(owner.sequence().peek()));
    boolean contiguous = true;
    try (Scan oldest = owner.shard().scan(Space.QUEUES, arrivals, Direction.UP)) {
      while (overfull(spec, group.delta().liveAfter()) && oldest.next()) {
        contiguous &= remove(group, oldest.value(), Layout.position(oldest.key()));
        if (contiguous) {
          group.arrivalsBeginAt(Layout.position(oldest.key()));
        }
      }
    }
    for (byte[] key : group.arrived()) {
      byte[] record = group.current(key);
      if (record != null && overfull(spec, group.delta().liveAfter())) {
        remove(group, key, Header.born(record, 0));
      }
    }
  }

  /** Records that a group was committed. */
  void committed(WriteGroup group) {
    cursor = Math.max(cursor, group.arrivalsBegin());
  }

  /**
   * Removes a document; returns false if it is expired but not swept, because it might become live
   * again. If a compaction has dropped the record, its id may belong to a later document.
   */
  private boolean remove(WriteGroup group, byte[] key, long born) {
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
        PrimaryKey.of(owner.compiled().spec(), RecordFormat.document(record)), record, Cause.CAP);
    return true;
  }

  private static boolean overfull(CollectionSpec spec, Usage live) {
    return live.documents() > 1 && spec.cap().exceededBy(live);
  }
}
