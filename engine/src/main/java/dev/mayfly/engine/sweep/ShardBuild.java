package dev.mayfly.engine.sweep;

import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.shard.IndexEntryKeys;
import dev.mayfly.engine.shard.IndexEntryValues;
import dev.mayfly.engine.shard.Liveness;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.shard.WriteGroup;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import java.util.Arrays;
import java.util.List;

/**
 * Builds the index and lane entries of documents that were there before the index or lane, slice by
 * slice, each slice one batch under the shard's lock with the progress in it: writers go on between
 * slices, and a restart goes on where it stopped.
 *
 * <p>Writers keep up an index or lane from the moment it is declared, so that the build only has to
 * come by every record once. Dead documents that are not swept are built too: an undo may bring
 * them back, and the sweep finds them by their lane.
 */
public final class ShardBuild {
  private static final byte[] DONE = {1};

  private final ShardOwner owner;
  private final IndexEntryKeys keys = new IndexEntryKeys();

  public ShardBuild(ShardOwner owner) {
    this.owner = owner;
  }

  /** What is to be built: an index or a lane, by the number its progress is kept under. */
  public record Target(int index, int lane) {
    public static Target index(int id) {
      return new Target(id, -1);
    }

    public static Target lane(int number) {
      return new Target(-1, number);
    }

    public byte[] progressKey() {
      return lane >= 0 ? Layout.laneBuildProgress(lane) : Layout.buildProgress(index);
    }
  }

  /** Whether this shard has built the target. */
  public boolean done(Target target) {
    byte[] progress = owner.shard().read(Space.META, target.progressKey());
    return progress != null && Arrays.equals(progress, DONE);
  }

  /**
   * Builds one slice and returns how many records it came by; 0 when there are no more.
   *
   * @throws EngineException DUPLICATE_KEY or CANNOT_INDEX when the index cannot be built
   */
  public int slice(Target target, long now, int budget) {
    owner.lock().lock();
    try {
      if (!wanted(target)) {
        return 0;
      }
      byte[] progress = owner.shard().read(Space.META, target.progressKey());
      WriteGroup group = owner.group(now);
      Batch batch = group.batch();
      if (progress == null && target.lane() >= 0) {
        batch.deleteRange(
            Space.QUEUES, Layout.lanePrefix(target.lane()), Layout.laneEnd(target.lane()));
      }
      Range rest =
          progress == null
              ? Range.all()
              : Range.from(Arrays.copyOfRange(progress, 1, progress.length));
      int seen = 0;
      byte[] last = null;
      try (Scan scan = owner.shard().scan(Space.RECORDS, rest, Direction.UP)) {
        while (seen < budget && scan.next()) {
          last = scan.key();
          record(group, target, last, scan.value(), now);
          seen++;
        }
      }
      batch.put(Space.META, target.progressKey(), last == null ? DONE : resume(last));
      owner.commitEntries(group, owner.compiled(), keys.arrays(owner.compiled()));
      return seen;
    } finally {
      owner.lock().unlock();
    }
  }

  /** Whether the collection still has what is being built: it may have changed meanwhile. */
  private boolean wanted(Target target) {
    CollectionState state = owner.compiled().state();
    return state.indexes().stream().anyMatch(index -> index.id() == target.index())
        || state.lanes().stream().anyMatch(lane -> lane.number() == target.lane());
  }

  private static byte[] resume(byte[] last) {
    byte[] progress = new byte[last.length + 2];
    System.arraycopy(last, 0, progress, 1, last.length);
    return progress;
  }

  private void record(WriteGroup group, Target target, byte[] key, byte[] record, long now) {
    if (owner.sweptLanes().covers(record, key) || group.current(key) == null) {
      return;
    }
    CompiledCollection compiled = owner.compiled();
    Document document = WriteGroup.documentOf(record);
    PrimaryKey primaryKey = PrimaryKey.of(compiled.spec(), document);
    if (target.lane() >= 0) {
      lane(group.batch(), compiled, target.lane(), primaryKey, record, document);
      return;
    }
    for (IndexState index : compiled.state().indexes()) {
      if (index.id() == target.index()) {
        entries(group, compiled, index, primaryKey, record, now);
      }
    }
  }

  private void lane(
      Batch batch,
      CompiledCollection compiled,
      int number,
      PrimaryKey key,
      byte[] record,
      Document document) {
    for (Lane lane : compiled.kept()) {
      long place = lane.number() == number ? Schedule.placeOf(lane, record) : Header.NO_PLACE;
      if (place != Header.NO_PLACE) {
        byte[] laneKey = Layout.lane(number, place, key.bytes());
        batch.put(
            Space.QUEUES, laneKey, IndexEntryValues.lane(record, document.length(), key.spelled()));
        owner.lanes().written(number, laneKey, place, Deadline.of(place, lane.lifeMillis()));
      }
    }
  }

  private void entries(
      WriteGroup group,
      CompiledCollection compiled,
      IndexState index,
      PrimaryKey key,
      byte[] record,
      long now) {
    List<byte[]> entryKeys = keys.of(compiled, index, key, record);
    if (index.spec().unique()) {
      for (byte[] entryKey : entryKeys) {
        if (givesWay(group, index, key, record, entryKey, owner.liveness(now))) {
          group.removeExpired(key.bytes());
          return;
        }
      }
    }
    byte[] header = entryHeader(compiled, record);
    for (byte[] entryKey : entryKeys) {
      group.putEntry(index, key, entryKey, header, header.length);
    }
  }

  /** The header of a record as its index entries carry it. */
  static byte[] entryHeader(CompiledCollection compiled, byte[] record) {
    boolean covers = Header.sequence(record, 0) >= compiled.state().coverSince();
    byte[] header = Arrays.copyOf(record, Header.length(record, 0));
    return covers ? header : Header.uncovered(header);
  }

  /**
   * Whether a document must go because another holds its unique key. Of two such documents one at
   * most may stay, even if both are dead: undoing a rule change would bring both back.
   */
  private boolean givesWay(
      WriteGroup group,
      IndexState index,
      PrimaryKey key,
      byte[] record,
      byte[] entryKey,
      Liveness liveness) {
    byte[] entry = group.uniqueEntry(entryKey);
    if (entry == null || Arrays.equals(IndexEntryValues.uniqueHolder(entry), key.bytes())) {
      return false;
    }
    byte[] holderKey = IndexEntryValues.uniqueHolder(entry);
    byte[] holder = group.current(holderKey);
    if (holder == null
        || Header.born(holder, 0) != Header.born(entry, 0)
        || owner.sweptLanes().covers(holder, holderKey)) {
      return false;
    }
    if (!liveness.isLive(record, key.bytes())) {
      return true;
    }
    if (liveness.isLive(holder, holderKey)) {
      throw IndexEntryKeys.duplicate(index, WriteGroup.documentOf(record), entryKey);
    }
    group.removeExpired(holderKey);
    return false;
  }

  /** Forgets the progress of a target that is built or given up. */
  public void forget(Target target) {
    owner.lock().lock();
    try {
      owner.shard().commit(new Batch().delete(Space.META, target.progressKey()));
    } finally {
      owner.lock().unlock();
    }
  }
}
