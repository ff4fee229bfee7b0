package dev.mayfly.engine.sweep;

import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.liveness.Liveness;
import dev.mayfly.engine.shard.IndexEntryKeys;
import dev.mayfly.engine.shard.IndexEntryValues;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.shard.WriteGroup;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
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
 * Build of an index or lane in one shard: adds the entries of documents that existed before it.
 * Each slice is one batch under the shard's lock and contains the progress, so that writers run
 * between slices, and a restart continues the build.
 *
 * <p>Writers maintain an index or lane from its declaration on, so the build reads every record
 * once. It includes expired documents that are not swept: an undo may make them live again, and the
 * sweep finds them by their lane entries. Used by one thread at a time.
 */
public final class ShardBuild {
  private static final byte[] DONE = {1};

  private final ShardOwner owner;
  private final IndexEntryKeys keys = new IndexEntryKeys();

  public ShardBuild(ShardOwner owner) {
    this.owner = owner;
  }

  /** Target of a build: the id of an index or the number of a lane; the other one is -1. */
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

  /** Returns whether the build of a target is done in this shard. */
  public boolean done(Target target) {
    byte[] progress = owner.shard().read(Space.META, target.progressKey());
    return progress != null && Arrays.equals(progress, DONE);
  }

  /**
   * Builds one slice and returns the number of records that it has read; 0 if none are left.
   *
   * @throws EngineException DUPLICATE_KEY or CANNOT_INDEX if the index cannot be built
   */
  public int slice(Target target, long now, int budget) {
    owner.lock().lock();
    try {
      if (!exists(target)) {
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

  /** Returns whether the collection still has the index or lane: it may have changed meanwhile. */
  private boolean exists(Target target) {
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
    Document document = RecordFormat.document(record);
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
        if (losesUniqueKey(group, index, key, record, entryKey, owner.liveness(now))) {
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

  /** Returns the header for the index entries of a record. */
  static byte[] entryHeader(CompiledCollection compiled, byte[] record) {
    boolean covers = Header.sequence(record, 0) >= compiled.state().coverSince();
    byte[] header = Arrays.copyOf(record, Header.length(record, 0));
    return covers ? header : Header.uncovered(header);
  }

  /**
   * Returns whether an expired document must be removed because another document holds its unique
   * key. Only one of the two may stay, even if both are expired: an undo of a rule change would
   * make both live again. Removes the other one if that is expired and this one is live.
   */
  private boolean losesUniqueKey(
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
      throw IndexEntryKeys.duplicate(index, RecordFormat.document(record), entryKey);
    }
    group.removeExpired(holderKey);
    return false;
  }

  /** Deletes the progress of a finished build. */
  public void forget(Target target) {
    owner.lock().lock();
    try {
      owner.shard().commit(new Batch().delete(Space.META, target.progressKey()));
    } finally {
      owner.lock().unlock();
    }
  }
}
