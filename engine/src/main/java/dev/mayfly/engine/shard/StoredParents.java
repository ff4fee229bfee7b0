package dev.mayfly.engine.shard;

import dev.mayfly.engine.liveness.Departures;
import dev.mayfly.engine.liveness.Liveness;
import dev.mayfly.engine.liveness.ParentView;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Space;
import org.jspecify.annotations.Nullable;

/**
 * Views of the parents of one shard. In each, the record is read before the departures: a parent
 * whose record is gone has left its departure already.
 */
final class StoredParents {
  private static final ParentView.Parent ABSENT =
      new ParentView.Parent(ParentView.State.NONE, Deadline.NEVER, Departures.NONE);

  private StoredParents() {}

  private static ParentView.Parent judge(
      ShardOwner.View view,
      Liveness liveness,
      byte @Nullable [] record,
      byte[] primaryKey,
      Departures departures) {
    if (record == null || view.sweptLanes().covers(record, primaryKey)) {
      return departures.all().isEmpty()
          ? ABSENT
          : new ParentView.Parent(ParentView.State.NONE, Deadline.NEVER, departures);
    }
    return liveness.isLiveByItself(record, primaryKey)
        ? new ParentView.Parent(ParentView.State.LIVE, Deadline.NEVER, departures)
        : new ParentView.Parent(
            ParentView.State.EXPIRED, liveness.cutoffs().expiredAt(record, true), departures);
  }

  /** A reader at an earlier instant than that of a departure sees the children. */
  private static Departures departures(Reader reader, byte[] primaryKey, long now) {
    byte[] stored = reader.read(Space.QUEUES, Layout.departed(primaryKey));
    return stored == null ? Departures.NONE : Departures.decode(stored).until(now);
  }

  /** The present state of a shard, for many threads. */
  record Present(ShardOwner owner, long now) implements ParentView {
    @Override
    public Parent find(byte[] primaryKey) {
      while (true) {
        ShardOwner.View view = owner.view();
        byte[] record = owner.record(primaryKey);
        Departures departures =
            owner.departed()
                ? StoredParents.departures(owner.shard(), primaryKey, now)
                : Departures.NONE;
        Parent found = judge(view, owner.liveness(now), record, primaryKey, departures);
        if (owner.compiled() == view.compiled()) {
          return found;
        }
        // the rules have changed since the record was read
      }
    }

    /** The caller holds the lock of the shard. */
    @Override
    public void depart(byte[] primaryKey) {
      WriteGroup group = owner.group(now);
      group.removeExpired(primaryKey);
      owner.commit(group);
    }
  }

  /**
   * A snapshot of a shard.
   *
   * @param view not later than the snapshot
   * @param liveness of the view
   * @param departed whether the snapshot may contain departures
   * @param since the confirmed time when the read began
   */
  record Seen(
      ShardOwner owner,
      ShardOwner.View view,
      Liveness liveness,
      Reader snapshot,
      boolean departed,
      long now,
      long since)
      implements ParentView {
    @Override
    public Parent find(byte[] primaryKey) {
      byte[] record = snapshot.read(Space.RECORDS, primaryKey);
      Departures departures =
          departed ? StoredParents.departures(snapshot, primaryKey, now) : Departures.NONE;
      if (record == null && owner.departed()) {
        // the sweep has passed the parent since, and a compaction drops records of snapshots, too
        Departures later = StoredParents.departures(owner.shard(), primaryKey, now);
        departures = later.all().isEmpty() ? departures : later;
      }
      if (owner.dropped()) {
        throw Parents.dropped(owner.compiled().state().namespace().toString());
      }
      owner.checkReadable(liveness.cutoffs(), since);
      return judge(view, liveness, record, primaryKey, departures);
    }

    @Override
    public void depart(byte[] primaryKey) {
      throw new IllegalStateException("a snapshot cannot be written");
    }
  }

  /**
   * A shard with the writes of a group.
   *
   * @param departs whether parents can depart with the group
   */
  record Written(ShardOwner.View view, Liveness liveness, WriteGroup group, boolean departs)
      implements ParentView {
    @Override
    public Parent find(byte[] primaryKey) {
      byte[] record = group.current(primaryKey);
      return judge(view, liveness, record, primaryKey, group.departures(primaryKey));
    }

    @Override
    public void depart(byte[] primaryKey) {
      if (departs) {
        group.removeExpired(primaryKey);
      }
    }
  }
}
