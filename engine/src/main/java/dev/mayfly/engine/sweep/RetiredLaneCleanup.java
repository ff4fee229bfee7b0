package dev.mayfly.engine.sweep;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.liveness.SweptLanes;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.shard.WriteGroup;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.List;

/**
 * Cleanup of retired lanes in a shard: deletes, slice by slice, the remaining entries of documents
 * that were swept on these lanes. Afterwards the marks of the lanes are not needed and can be
 * removed; until then every record that is read is compared with each mark. Used by one thread at a
 * time; starts again after a restart.
 */
public final class RetiredLaneCleanup {
  private static final List<Space> SPACES = List.of(Space.RECORDS, Space.ENTRIES, Space.QUEUES);

  /** Entries that can be read in the time in which one is deleted. */
  private static final int READ_PER_DELETE = 10;

  private final ShardOwner owner;
  private final List<Integer> lanes;
  private int space;
  private byte[] from = {};

  /**
   * @param lanes retired lanes, on which nothing expires any more
   */
  public RetiredLaneCleanup(ShardOwner owner, List<Integer> lanes) {
    this.owner = owner;
    this.lanes = lanes;
  }

  /** Reads some entries and deletes the dead ones; returns false if all have been read. */
  public boolean slice(long now, int budget) {
    if (space == SPACES.size()) {
      return false;
    }
    Space in = SPACES.get(space);
    SweptLanes dead = owner.sweptLanes().of(lanes);
    List<byte[]> found = new ArrayList<>();
    byte[] next = from;
    boolean more = false;
    int seen = 0;
    try (Scan scan = owner.shard().scan(in, rest(in), Direction.UP)) {
      while (scan.next()) {
        if (seen++ == budget || found.size() > budget / READ_PER_DELETE) {
          more = true;
          break;
        }
        next = Layout.after(scan.key());
        if (isDead(in, dead, scan.key(), scan.value())) {
          found.add(scan.key());
        }
      }
    }
    delete(in, dead, found, now);
    // after the commit: if it fails, the entries are read again
    from = more ? next : new byte[0];
    space += more ? 0 : 1;
    return true;
  }

  private Range rest(Space in) {
    if (in != Space.QUEUES) {
      return Range.from(from);
    }
    byte[] start = from.length == 0 ? Layout.lanePrefix(0) : from;
    return Range.of(start, Layout.laneEnd(Short.MAX_VALUE));
  }

  /**
   * Returns whether an entry is dead by the marks of the lanes. For places that are swept in part,
   * only records are judged: deleting one deletes its other entries, too.
   */
  private static boolean isDead(Space in, SweptLanes dead, byte[] key, byte[] value) {
    return in == Space.RECORDS
        ? dead.judge(value, key) == Verdict.EXPIRED
        : dead.cutoffs().judge(value, 0) == Verdict.EXPIRED;
  }

  /**
   * Deletes entries that are still dead: meanwhile, another document may have been written with the
   * same key.
   */
  private void delete(Space in, SweptLanes dead, List<byte[]> found, long now) {
    if (found.isEmpty()) {
      return;
    }
    owner.lock().lock();
    try {
      WriteGroup group = owner.group(now);
      for (byte[] key : found) {
        byte[] value = owner.shard().read(in, key);
        if (value != null && isDead(in, dead, key, value)) {
          delete(group, in, key, value);
        }
      }
      owner.lanes().recordConflict();
      owner.commit(group);
    } finally {
      owner.lock().unlock();
    }
  }

  private void delete(WriteGroup group, Space in, byte[] key, byte[] value) {
    if (in == Space.RECORDS) {
      CollectionSpec spec = owner.compiled().spec();
      group.removeSwept(PrimaryKey.of(spec, RecordFormat.document(value)), value);
    } else {
      group.batch().delete(in, key);
    }
  }

  /**
   * Waits until the deletes survive a power failure and no reader sees the entries any more. Then
   * the marks can be removed.
   */
  public void finish() {
    owner.syncMarks(owner.ticketMarks());
    owner.shard().forgetDropped();
  }
}
