package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Change.Cause;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Order of removal in a collection with limits. Guarded by the shard's lock, except {@link #first}.
 *
 * <p>A capped collection removes its oldest documents. A bounded collection removes the documents
 * with the earliest deadlines, in the order of deadline and primary key; then documents without a
 * deadline, in the order of primary keys; documents of the group that needs the room come last.
 */
public final class CappedOrder {
  private final ShardOwner owner;

  /** The collection has no document that was born below it. */
  private volatile long cursor = Long.MIN_VALUE;

  /** No live document without a deadline has a lower primary key. */
  private byte[] recordsFrom = {};

  /** The schedule under which documents were evicted: under another one, others may be live. */
  private Schedule evictedUnder = Schedule.NONE;

  private @Nullable Eviction evictedBy;

  CappedOrder(ShardOwner owner) {
    this.owner = owner;
  }

  /** A lower bound of the birth of the oldest document. */
  public long first() {
    return cursor;
  }

  /** Removes live documents until the rest is within the limits. */
  void makeRoom(WriteGroup group) {
    CollectionSpec spec = owner.compiled().spec();
    if (!overfull(spec, group.delta().liveAfter())) {
      return;
    }
    if (spec.bounded()) {
      if (!group.written().isEmpty()) {
        new Eviction(group).makeRoom();
      }
    } else {
      removeOldest(group, spec);
    }
  }

  private void removeOldest(WriteGroup group, CollectionSpec spec) {
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
    if (evictedBy != null) {
      Eviction eviction = evictedBy;
      evictedBy = null;
      if (eviction.group == group) {
        eviction.committed();
      }
    }
    if (recordsFrom.length > 0 && owner.compiled().spec().bounded()) {
      for (ByteKey key : group.written().keySet()) {
        if (Arrays.compareUnsigned(key.array(), recordsFrom) < 0) {
          recordsFrom = key.array();
        }
      }
    }
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

  /** Eviction of documents of a bounded collection by one group. */
  private final class Eviction {
    /** Documents that one group evicts at most, after a limit was lowered. */
    private static final int MAX_EVICTED = 1000;

    private final WriteGroup group;
    private final CollectionSpec spec = owner.compiled().spec();
    private final Schedule schedule = owner.schedule();
    private final Map<Integer, byte[]> reached = new HashMap<>();
    private byte[] reachedRecord = {};
    private int evicted;

    Eviction(WriteGroup group) {
      this.group = group;
    }

    /** Evicts nothing while a lane is being built, because the order is not known then. */
    @SuppressWarnings("ReferenceEquality") // the same schedule, not an equal one
    void makeRoom() {
      if (owner.compiled().state().building()) {
        return;
      }
      if (evictedUnder != schedule) {
        evictedUnder = schedule;
        owner.lanes().forgetEvicted();
        recordsFrom = new byte[0];
      }
      evictedBy = this;
      bySoonestDeadline();
      if (needsRoom()) {
        withoutDeadline();
      }
      if (needsRoom()) {
        ownDocuments();
      }
    }

    private boolean needsRoom() {
      return evicted < MAX_EVICTED && overfull(spec, group.delta().liveAfter());
    }

    void committed() {
      reached.forEach(owner.lanes()::evictedTo);
      recordsFrom = reachedRecord.length > 0 ? reachedRecord : recordsFrom;
    }

    private void bySoonestDeadline() {
      PriorityQueue<DueEntries> lanes = new PriorityQueue<>(DueEntries.ORDER);
      List<DueEntries> open = new ArrayList<>();
      try {
        for (Lane lane : schedule.lanes()) {
          DueEntries entries = new DueEntries(lane, scan(lane));
          open.add(entries);
          if (entries.next()) {
            lanes.add(entries);
          }
        }
        while (needsRoom() && !lanes.isEmpty()) {
          DueEntries first = lanes.remove();
          boolean gone = evictKey(first.primaryKey);
          first.contiguous &= gone;
          if (first.contiguous) {
            reached.put(first.lane.number(), first.key);
          }
          if (first.next()) {
            lanes.add(first);
          }
        }
      } finally {
        open.forEach(entries -> entries.scan.close());
      }
    }

    private Scan scan(Lane lane) {
      int number = lane.number();
      long cutoff = owner.documentCounts().counted().of(number);
      byte[] live = owner.lanes().firstLive(number);
      byte[] due = Layout.lanePlaceEnd(number, cutoff);
      byte[] from = Arrays.compareUnsigned(live, due) > 0 ? live : due;
      return owner.shard().scan(Space.QUEUES, Range.of(from, Layout.laneEnd(number)), Direction.UP);
    }

    /**
     * Evicts a stored document that the group has not written. Returns false if it stays and may be
     * live later.
     */
    private boolean evictKey(byte[] primaryKey) {
      byte[] ours = group.written().get(new ByteKey(primaryKey));
      if (ours != null) {
        return ours.length == 0;
      }
      byte[] record = group.current(primaryKey);
      if (record == null || owner.sweptLanes().covers(record, primaryKey)) {
        return true;
      }
      if (owner.documentCounts().counted().expired(record)) {
        return false;
      }
      evict(record);
      return true;
    }

    private void evict(byte[] record) {
      PrimaryKey key = PrimaryKey.of(spec, RecordFormat.document(record));
      group.delete(key, record, Cause.CAP);
      evicted++;
    }

    /** All documents with a deadline are evicted, except those that stay for a reason. */
    private void withoutDeadline() {
      boolean contiguous = true;
      Range rest = recordsFrom.length == 0 ? Range.all() : Range.from(recordsFrom);
      try (Scan records = owner.shard().scan(Space.RECORDS, rest, Direction.UP)) {
        while (needsRoom() && records.next()) {
          byte[] key = records.key();
          boolean deadlineless = schedule.deadline(records.value()) == Deadline.NEVER;
          contiguous &= deadlineless && evictKey(key);
          if (contiguous) {
            reachedRecord = key;
          }
        }
      }
    }

    private void ownDocuments() {
      List<byte[]> records = new ArrayList<>();
      group
          .written()
          .forEach(
              (_, record) -> {
                if (record.length > 0) {
                  records.add(record);
                }
              });
      records.sort(
          Comparator.comparingLong((byte[] record) -> schedule.deadline(record))
              .thenComparing(
                  record -> PrimaryKey.of(spec, RecordFormat.document(record)).bytes(),
                  Arrays::compareUnsigned));
      for (byte[] record : records) {
        if (!needsRoom()) {
          return;
        }
        if (!owner.documentCounts().counted().expired(record)) {
          evict(record);
        }
      }
    }
  }

  /** Entries of one lane, the earliest first. */
  private static final class DueEntries {
    private static final Comparator<DueEntries> ORDER =
        Comparator.comparingLong((DueEntries entries) -> entries.deadline)
            .thenComparing(entries -> entries.primaryKey, Arrays::compareUnsigned);

    private final Lane lane;
    private final Scan scan;
    private long deadline;
    private byte[] key = {};
    private byte[] primaryKey = {};
    private boolean contiguous = true;

    DueEntries(Lane lane, Scan scan) {
      this.lane = lane;
      this.scan = scan;
    }

    boolean next() {
      if (!scan.next()) {
        return false;
      }
      key = scan.key();
      deadline = Deadline.of(Layout.place(key), lane.lifeMillis());
      primaryKey = Layout.lanePrimaryKey(key);
      return deadline != Deadline.NEVER;
    }
  }
}
