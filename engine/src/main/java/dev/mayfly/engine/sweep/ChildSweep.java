package dev.mayfly.engine.sweep;

import dev.mayfly.engine.Usage;
import dev.mayfly.engine.liveness.Departures;
import dev.mayfly.engine.liveness.ParentKeys;
import dev.mayfly.engine.read.ChildScan;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.shard.WriteGroup;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.expiry.Header;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sweep of the children of departed parents of one shard: writes their expiries to the feed of
 * their collection, removes them with their entries, and removes the departed entry when no child
 * is left. Its cost depends on the children that have died.
 *
 * <p>No child comes back or slips in: a write of a child holds the lock of the parent's shard from
 * its decision to its commit, so a child with a lower version than the departure was committed
 * before it. Used by one thread at a time.
 */
public final class ChildSweep {
  /** Departed entries that are read for one child that may be removed. */
  private static final int ENTRIES_PER_CHILD = 4;

  /** Some children of an entry may be left. */
  private static final int UNFINISHED = -1;

  /** The children of an entry cannot be found before their index is built. */
  private static final int NOT_INDEXED = -2;

  private final ShardOwner owner;

  /** Receiver of what was swept. */
  public interface Swept {
    /** Called after each commit. */
    void add(ShardOwner of, Usage swept);
  }

  /** A departed entry as it was read. */
  private static final class Entry {
    private final byte[] key;
    private final byte[] value;

    Entry(byte[] key, byte[] value) {
      this.key = key;
      this.value = value;
    }

    byte[] key() {
      return key;
    }

    byte[] value() {
      return value;
    }

    byte[] parentKey() {
      return Layout.departedPrimaryKey(key);
    }

    Departures departures() {
      return Departures.decode(value);
    }
  }

  /** Where the next slice begins; null for the first entry. */
  private byte @Nullable [] next;

  /** Whether earlier slices of this pass have removed entries: others may have come since. */
  private boolean progressed;

  /**
   * @param owner of the shard of the parents
   */
  public ChildSweep(ShardOwner owner) {
    this.owner = owner;
  }

  /**
   * Sweeps one slice.
   *
   * @param followers the owners of all shards of collections that follow the parents
   * @param horizon children of parents that departed at this instant or later stay: an open cursor
   *     may have read the parent before; so do those that departed by an unconfirmed clock
   * @param budget the maximum number of children to remove
   * @return whether work remains that can be done now
   */
  public boolean slice(
      List<ShardOwner> followers, long now, long horizon, int budget, Swept swept) {
    if (!owner.departed()) {
      return false;
    }
    int most = Math.max(budget / ENTRIES_PER_CHILD, 1);
    List<Entry> entries = read(most);
    List<Entry> done = new ArrayList<>();
    int left = budget;
    boolean stopped = false;
    for (Entry entry : entries) {
      boolean mayBeRead =
          entry.departures().all().stream().anyMatch(one -> one.at() >= horizon || one.at() > now);
      if (!mayBeRead && !stopped) {
        int removed = sweep(entry, followers, now, left, swept);
        stopped = removed == UNFINISHED;
        left -= Math.max(removed, 0);
        if (removed >= 0) {
          done.add(entry);
        }
      }
    }
    boolean full = entries.size() == most;
    boolean further = full || progressed;
    progressed = full && (progressed || !done.isEmpty());
    if (!stopped) {
      next = full ? Layout.after(entries.getLast().key()) : null;
    }
    return remove(done, now) || stopped || further;
  }

  private List<Entry> read(int most) {
    byte[] from = next == null ? Layout.departedPrefix() : next;
    byte[] to = Objects.requireNonNull(Range.prefix(Layout.departedPrefix()).to());
    List<Entry> entries = new ArrayList<>();
    try (Scan scan = owner.shard().scan(Space.QUEUES, Range.of(from, to), Direction.UP)) {
      while (entries.size() < most && scan.next()) {
        entries.add(new Entry(scan.key(), scan.value()));
      }
    }
    return entries;
  }

  /**
   * Removes the dead children of an entry.
   *
   * @return how many were removed, or why some may be left
   */
  private int sweep(Entry entry, List<ShardOwner> followers, long now, int budget, Swept swept) {
    int removed = 0;
    for (ShardOwner children : followers) {
      int most = budget - removed;
      int here = most <= 0 ? UNFINISHED : sweep(entry, children, now, most, swept);
      if (here < 0) {
        return here;
      }
      removed += here;
    }
    return removed;
  }

  private int sweep(Entry entry, ShardOwner children, long now, int budget, Swept swept) {
    children.lock().lock();
    try {
      if (children.closed() || children.view().family().parents() == null) {
        return 0;
      }
      ParentKeys keys = children.view().family().parents().keys();
      ChildScan scan = new ChildScan(children, keys, children.shard());
      if (!scan.isIndexed()) {
        return NOT_INDEXED;
      }
      Departures departures = entry.departures();
      List<byte[]> dead = new ArrayList<>();
      List<Usage> sizes = new ArrayList<>();
      boolean all =
          scan.forEach(
              entry.parentKey(),
              (primaryKey, record) -> {
                if (departures.of(Header.version(record, 0)).isPresent()
                    && !children.sweptLanes().covers(record, primaryKey)) {
                  dead.add(primaryKey);
                  sizes.add(new Usage(1, RecordFormat.document(record).length()));
                }
                return dead.size() < budget;
              });
      if (!dead.isEmpty()) {
        WriteGroup group = children.group(now);
        dead.forEach(group::removeExpired);
        children.commit(group);
        swept.add(children, sizes.stream().reduce(Usage.NONE, Usage::plus));
      }
      return all ? dead.size() : UNFINISHED;
    } finally {
      children.lock().unlock();
    }
  }

  /** Removes entries without children, unless they have changed since they were read. */
  private boolean remove(List<Entry> done, long now) {
    if (done.isEmpty()) {
      return false;
    }
    owner.lock().lock();
    try {
      if (owner.closed()) {
        return false;
      }
      WriteGroup group = owner.group(now);
      boolean any = false;
      for (Entry entry : done) {
        if (Arrays.equals(owner.shard().read(Space.QUEUES, entry.key()), entry.value())) {
          group.batch().delete(Space.QUEUES, entry.key());
          any = true;
        }
      }
      if (any) {
        owner.commit(group);
        owner.checkDeparted();
      }
      return any;
    } finally {
      owner.lock().unlock();
    }
  }
}
