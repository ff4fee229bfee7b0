package dev.mayfly.engine.shard;

import dev.mayfly.engine.liveness.SweptLanes;
import dev.mayfly.engine.storage.LaneEntry;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lanes of a shard once to count its documents by place ({@link LaneBuckets}), after a
 * restart or a change of the lanes; in a very large shard only when a count has needed that. Works
 * in slices on one snapshot while writers go on; their changes are added at the end. Safe for many
 * threads.
 */
public final class LaneRecount implements AutoCloseable {
  private final ShardOwner owner;
  private @Nullable Reading reading;

  LaneRecount(ShardOwner owner) {
    this.owner = owner;
  }

  /**
   * Reads some lane entries, if the counts are wanted. Returns whether more is to be read.
   *
   * @param budget how many entries to read at most
   */
  public synchronized boolean slice(int budget) {
    if (reading == null && owner.documentCounts().bucketsWanted()) {
      reading = begin();
    }
    if (reading == null) {
      return false;
    }
    try {
      if (reading.read(budget)) {
        return true;
      }
      finish(reading);
    } catch (RuntimeException | Error failure) {
      close();
      throw failure;
    }
    close();
    return false;
  }

  private @Nullable Reading begin() {
    owner.lock().lock();
    try {
      boolean ready =
          owner.compiled().state().lanes().stream().allMatch(lane -> lane.ready() || !lane.kept());
      if (!owner.documentCounts().bucketsWanted() || !ready || owner.closed()) {
        return null;
      }
      Snapshot snapshot = owner.shard().snapshot();
      if (!snapshot.consistent()) {
        snapshot.close();
        return null;
      }
      ExpiryLanes lanes = ExpiryLanes.of(owner.compiled());
      return new Reading(
          snapshot, owner.sweptLanes(), lanes, owner.documentCounts().beginMissing(lanes));
    } finally {
      owner.lock().unlock();
    }
  }

  private void finish(Reading done) {
    owner.lock().lock();
    try {
      owner.documentCounts().install(done.buckets, done.missed);
    } finally {
      owner.lock().unlock();
    }
  }

  /** Gives up a reading in progress. */
  @Override
  public synchronized void close() {
    if (reading != null) {
      reading.snapshot.close();
      reading = null;
    }
  }

  /** A reading of the lanes in progress. */
  private static final class Reading implements PlaceChanges.Sink {
    private final Snapshot snapshot;
    private final SweptLanes sweptLanes;
    private final ExpiryLanes lanes;
    private final DocumentCounts.MissedChanges missed;
    private final LaneBuckets buckets;
    private int lane;
    private byte[] from = {};
    private int number;
    private byte[] document = {};

    Reading(
        Snapshot snapshot,
        SweptLanes sweptLanes,
        ExpiryLanes lanes,
        DocumentCounts.MissedChanges missed) {
      this.snapshot = snapshot;
      this.sweptLanes = sweptLanes;
      this.lanes = lanes;
      this.missed = missed;
      this.buckets = new LaneBuckets(lanes);
    }

    /** Reads some entries; returns whether there are more. */
    boolean read(int budget) {
      int left = budget;
      List<Lane> kept = lanes.kept();
      while (lane < kept.size()) {
        number = kept.get(lane).number();
        byte[] start = from.length == 0 ? Layout.lanePrefix(number) : from;
        Range rest = Range.of(start, Layout.laneEnd(number));
        try (Scan scan = snapshot.scan(Space.QUEUES, rest, Direction.UP)) {
          while (scan.next()) {
            if (left-- == 0) {
              from = scan.key();
              return true;
            }
            entry(Layout.lanePrimaryKey(scan.key()), scan.value());
          }
        }
        lane++;
        from = new byte[0];
      }
      return false;
    }

    private void entry(byte[] primaryKey, byte[] value) {
      Verdict gone = sweptLanes.judge(value, primaryKey);
      if (gone == Verdict.EXPIRED) {
        return;
      }
      document = value;
      if (gone == Verdict.UNKNOWN || !lanes.coveredBy(value)) {
        byte[] record = snapshot.read(Space.RECORDS, primaryKey);
        if (record == null || sweptLanes.covers(record, primaryKey)) {
          return;
        }
        document = record;
      }
      PlaceChanges one = new PlaceChanges(lanes);
      one.add(document, 1, LaneEntry.documentBytes(value));
      one.applyTo(this);
    }

    /** Counts a document of several lanes only once. */
    @Override
    public void add(int counted, long place, boolean several, long documents, long bytes) {
      if (counted == ExpiryLanes.NO_LANE ? isFirst() : counted == number) {
        buckets.add(counted, place, several, documents, bytes);
      }
    }

    /** Returns whether the lane that is read is the first one in which the document is. */
    private boolean isFirst() {
      for (Lane one : lanes.kept()) {
        if (Schedule.placeOf(one, document) != Header.NO_PLACE) {
          return one.number() == number;
        }
      }
      return false;
    }
  }
}
