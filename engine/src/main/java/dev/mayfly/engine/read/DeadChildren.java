package dev.mayfly.engine.read;

import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.LaneState;
import dev.mayfly.engine.liveness.Liveness;
import dev.mayfly.engine.liveness.ParentLookup;
import dev.mayfly.engine.shard.Parents;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Header;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Search for stored children whose parents are dead at an instant, in all shards of a collection.
 * It begins with the parents: those that have departed, and the lane entries up to the cutoffs. So
 * its cost depends on what has died and is not swept, and not on what exists.
 */
public final class DeadChildren implements AutoCloseable {
  private final List<ShardOwner> owners;
  private final Parents parents;
  private final long until;
  private final Parents.Snapshots before;
  private final ParentLookup lookup;
  private final ParentLookup present;
  private final List<Snapshot> snapshots = new ArrayList<>();
  private final List<ChildScan> scans = new ArrayList<>();
  private final List<Liveness> liveness = new ArrayList<>();

  /** Child whose parent is dead at an instant. By its own rules it is live at present. */
  public static final class Child {
    private final ShardOwner owner;
    private final byte[] primaryKey;
    private final byte[] record;
    private final long parentDeadline;

    Child(ShardOwner owner, byte[] primaryKey, byte[] record, long parentDeadline) {
      this.owner = owner;
      this.primaryKey = primaryKey;
      this.record = record;
      this.parentDeadline = parentDeadline;
    }

    /** The owner of its shard. */
    public ShardOwner owner() {
      return owner;
    }

    public byte[] primaryKey() {
      return primaryKey;
    }

    public byte[] record() {
      return record;
    }

    /** When its parent died, or will die. */
    public long parentDeadline() {
      return parentDeadline;
    }

    /** The child, as a count. */
    public Usage usage() {
      return new Usage(1, RecordFormat.document(record).length());
    }
  }

  private DeadChildren(List<ShardOwner> owners, Parents parents, long now, long until) {
    this.owners = owners;
    this.parents = parents;
    this.until = until;
    this.before = parents.snapshots();
    this.lookup = before.lookup(until, Long.MAX_VALUE);
    this.present = before.lookup(now, Long.MAX_VALUE);
    try {
      for (ShardOwner owner : owners) {
        Snapshot snapshot = owner.shard().snapshot();
        snapshots.add(snapshot);
        scans.add(new ChildScan(owner, parents.keys(), snapshot));
        liveness.add(owner.view().liveness(now, null));
      }
    } catch (RuntimeException failed) {
      close();
      throw failed;
    }
  }

  /**
   * Visits each child whose parent is dead at an instant and that is live by its own rules now. It
   * visits none if the collection follows no other.
   *
   * @param owners of the shards of the collection
   * @param until an instant, not before now
   */
  public static void forEach(
      List<ShardOwner> owners, long now, long until, Consumer<Child> visitor) {
    Parents parents = owners.getFirst().view().family().parents();
    if (parents != null) {
      parents.owners().forEach(owner -> owner.settleTouches(now, /* mayBlock= */ true));
      try (DeadChildren dead = new DeadChildren(owners, parents, now, until)) {
        dead.forEach(visitor);
      }
    }
  }

  /** Returns the children that their own rules leave alive and whose parents are dead. */
  public static Usage count(List<ShardOwner> owners, long now) {
    if (owners.getFirst().view().family().parents() == null) {
      return Usage.NONE;
    }
    Counter counter = new Counter();
    forEach(owners, now, now, counter);
    return counter.counted;
  }

  private static final class Counter implements Consumer<Child> {
    private Usage counted = Usage.NONE;

    @Override
    public void accept(Child child) {
      counted = counted.plus(child.usage());
    }
  }

  private void forEach(Consumer<Child> visitor) {
    for (int i = 0; i < parents.owners().size(); i++) {
      Reader reader = before.of(i);
      departed(reader, visitor);
      expired(before.view(i), reader, visitor);
    }
  }

  private void departed(Reader reader, Consumer<Child> visitor) {
    Range all = Range.prefix(Layout.departedPrefix());
    try (Scan scan = reader.scan(Space.QUEUES, all, Direction.UP)) {
      while (scan.next()) {
        visit(Layout.departedPrimaryKey(scan.key()), visitor);
      }
    }
  }

  private void expired(ShardOwner.View view, Reader reader, Consumer<Child> visitor) {
    Cutoffs cutoffs = view.liveness(until, null).cutoffs();
    List<LaneState> lanes =
        view.compiled().state().lanes().stream()
            .filter(lane -> cutoffs.reach(lane.number()) != Long.MIN_VALUE)
            .toList();
    if (lanes.stream().allMatch(LaneState::ready)) {
      lanes.forEach(lane -> lane(view, cutoffs, lane.number(), reader, visitor));
    } else {
      records(view, cutoffs, reader, visitor);
    }
  }

  private void lane(
      ShardOwner.View view, Cutoffs cutoffs, int lane, Reader reader, Consumer<Child> visitor) {
    Range range = Range.of(Layout.lanePrefix(lane), Layout.lanePlaceEnd(lane, cutoffs.reach(lane)));
    try (Scan scan = reader.scan(Space.QUEUES, range, Direction.UP)) {
      while (scan.next()) {
        byte[] key = Layout.lanePrimaryKey(scan.key());
        byte[] record = reader.read(Space.RECORDS, key);
        if (record != null
            && Header.born(record, 0) == Header.born(scan.value(), 0)
            && cutoffs.expiringLane(record, true) == lane) {
          expired(view, key, record, reader, visitor);
        }
      }
    }
  }

  private void records(
      ShardOwner.View view, Cutoffs cutoffs, Reader reader, Consumer<Child> visitor) {
    try (Scan scan = reader.scan(Space.RECORDS, Range.all(), Direction.UP)) {
      while (scan.next()) {
        if (cutoffs.expired(scan.value())) {
          expired(view, scan.key(), scan.value(), reader, visitor);
        }
      }
    }
  }

  private void expired(
      ShardOwner.View view, byte[] key, byte[] record, Reader reader, Consumer<Child> visitor) {
    boolean departed = reader.read(Space.QUEUES, Layout.departed(key)) != null;
    if (!departed && !view.sweptLanes().covers(record, key)) {
      visit(key, visitor);
    }
  }

  private void visit(byte[] parentKey, Consumer<Child> visitor) {
    for (int i = 0; i < scans.size(); i++) {
      ShardOwner owner = owners.get(i);
      Liveness own = liveness.get(i);
      scans
          .get(i)
          .forEach(
              parentKey,
              (primaryKey, record) -> {
                if (own.isLiveByItself(record, primaryKey)) {
                  // a watermark may have expired the parent before its deadline under the rules
                  ParentLookup.Fate fate = present.fate(record);
                  if (fate.state() != ParentLookup.State.DEAD) {
                    fate = lookup.fate(record);
                  }
                  if (fate.state() == ParentLookup.State.DEAD) {
                    visitor.accept(new Child(owner, primaryKey, record, fate.deadline()));
                  }
                }
                return true;
              });
    }
  }

  @Override
  public void close() {
    snapshots.forEach(Snapshot::close);
    before.close();
  }
}
