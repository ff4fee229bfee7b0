package dev.mayfly.engine.read;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.liveness.Liveness;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Scan of the live documents of a shard in the order of deadline and primary key, from its lanes. A
 * document in several lanes is returned once, at its earliest deadline. All lanes must be built.
 * Must be closed; used by one thread.
 */
public final class SoonestScan implements AutoCloseable {
  private static final Comparator<LaneScan> ORDER =
      Comparator.comparingLong((LaneScan lane) -> lane.deadline)
          .thenComparing(lane -> lane.primaryKey, Arrays::compareUnsigned);

  private final Snapshot snapshot;
  private final Schedule schedule;
  private final Liveness liveness;
  private final PriorityQueue<LaneScan> lanes = new PriorityQueue<>(ORDER);
  private final List<LaneScan> open = new ArrayList<>();
  private @Nullable LaneScan current;
  private byte[] record = {};
  private byte[] last = {};
  private long lastDeadline = Long.MIN_VALUE;

  /**
   * Position after which a scan begins, in the order of deadline and primary key.
   *
   * @param primaryKey null for the position after all documents with the deadline
   */
  public record After(long deadline, @Nullable ByteKey primaryKey) {
    /** Before all documents. */
    public static final After NOTHING = new After(Long.MIN_VALUE, null);
  }

  /** Entries of one lane, as far as they are after the position. */
  private static final class LaneScan {
    private final Lane lane;
    private final Scan scan;
    private long deadline;
    private byte[] primaryKey = {};
    private byte[] value = {};

    LaneScan(Lane lane, Scan scan) {
      this.lane = lane;
      this.scan = scan;
    }

    boolean next() {
      if (!scan.next()) {
        return false;
      }
      byte[] key = scan.key();
      deadline = Deadline.of(Layout.place(key), lane.lifeMillis());
      primaryKey = Layout.lanePrimaryKey(key);
      value = scan.value();
      return deadline != Deadline.NEVER;
    }
  }

  /**
   * @param which the lanes to read: documents that expire first in others are not returned
   */
  public SoonestScan(ShardOwner owner, long now, After after, Predicate<Lane> which) {
    ShardOwner.View view = owner.view();
    this.snapshot = owner.shard().snapshot();
    this.schedule = view.schedule();
    this.liveness = view.liveness(now);
    try {
      for (Lane lane : schedule.lanes()) {
        if (which.test(lane)) {
          Range range = Range.of(start(lane, now, after), Layout.laneEnd(lane.number()));
          LaneScan scan = new LaneScan(lane, snapshot.scan(Space.QUEUES, range, Direction.UP));
          open.add(scan);
          if (scan.next()) {
            lanes.add(scan);
          }
        }
      }
    } catch (RuntimeException failed) {
      close();
      throw failed;
    }
  }

  private static byte[] start(Lane lane, long now, After after) {
    long cutoff = lane.cutoff(now);
    long place = after.deadline() - lane.lifeMillis();
    boolean overflows = place > after.deadline();
    if (overflows || place <= cutoff) {
      return cutoff == Long.MIN_VALUE
          ? Layout.lanePrefix(lane.number())
          : Layout.lanePlaceEnd(lane.number(), cutoff);
    }
    ByteKey primaryKey = after.primaryKey();
    return primaryKey == null
        ? Layout.lanePlaceEnd(lane.number(), place)
        : Layout.after(Layout.lane(lane.number(), place, primaryKey.array()));
  }

  /** Moves to the next document; returns false after the last one. */
  public boolean next() {
    while (true) {
      LaneScan done = current;
      if (done != null && done.next()) {
        lanes.add(done);
      }
      current = lanes.poll();
      if (current == null) {
        return false;
      }
      if (isDue(current)) {
        last = current.primaryKey;
        lastDeadline = current.deadline;
        return true;
      }
    }
  }

  /** Returns whether the document of an entry is live and expires first by this entry. */
  private boolean isDue(LaneScan entry) {
    if (liveness.cutoffs().judge(entry.value, 0) == Verdict.EXPIRED
        || (schedule.coveredBy(entry.value) && schedule.deadline(entry.value) != entry.deadline)
        || (entry.deadline == lastDeadline && Arrays.equals(entry.primaryKey, last))) {
      return false;
    }
    byte[] found = snapshot.read(Space.RECORDS, entry.primaryKey);
    if (found == null
        || !liveness.isLive(found, entry.primaryKey)
        || schedule.deadline(found) != entry.deadline) {
      return false;
    }
    record = found;
    return true;
  }

  /** The record of the current document. */
  public byte[] record() {
    return record;
  }

  /** The deadline of the current document. */
  public long deadline() {
    return lastDeadline;
  }

  /** The primary key of the current document. */
  public byte[] primaryKey() {
    return last;
  }

  @Override
  public void close() {
    open.forEach(lane -> lane.scan.close());
    snapshot.close();
  }
}
