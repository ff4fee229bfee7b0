package dev.mayfly.engine.sweep;

import dev.mayfly.engine.CheckReport;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.liveness.Liveness;
import dev.mayfly.engine.shard.IndexEntryKeys;
import dev.mayfly.engine.shard.IndexEntryValues;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.LaneEntry;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import java.util.Arrays;
import java.util.List;

/**
 * Consistency check of one shard: every document has its index and lane entries, every entry has
 * its document, and the counts are right. Records are taken as correct; a repair changes entries
 * and counts to match them.
 *
 * <p>Holds the shard's lock from start to end, so it is meant for a store without clients.
 */
public final class ShardCheck {
  private final String name;
  private final ShardOwner owner;
  private final CompiledCollection compiled;
  private final Liveness liveness;
  private final boolean repair;
  private final IndexEntryKeys keys = new IndexEntryKeys();
  private final Batch repairs = new Batch();
  private CheckReport findings = CheckReport.NONE;
  private long records;
  private long entries;
  private long laneEntries;

  private ShardCheck(String name, ShardOwner owner, long now, boolean repair) {
    this.name = name;
    this.owner = owner;
    this.compiled = owner.compiled();
    this.liveness = owner.liveness(now);
    this.repair = repair;
  }

  public static CheckReport run(String name, ShardOwner owner, long now, boolean repair) {
    Usage counted = owner.liveCounter().usage(now);
    owner.lock().lock();
    try {
      ShardCheck check = new ShardCheck(name, owner, now, repair);
      check.records(counted);
      check.indexes();
      check.lanes();
      if (repair) {
        owner.commitEntries(check.repairs, check.compiled, check.keys.arrays(check.compiled));
      }
      return check.findings();
    } finally {
      owner.lock().unlock();
    }
  }

  private CheckReport findings() {
    return findings.plus(new CheckReport(records, entries, laneEntries, 0, 0, List.of()));
  }

  private void records(Usage counted) {
    Usage live = Usage.NONE;
    Usage stored = Usage.NONE;
    try (Scan scan = owner.shard().scan(Space.RECORDS, Range.all(), Direction.UP)) {
      while (scan.next()) {
        byte[] record = scan.value();
        if (!owner.sweptLanes().covers(record, scan.key())) {
          records++;
          boolean expired = !liveness.isLive(record, scan.key());
          Usage one = new Usage(1, RecordFormat.document(record).length());
          stored = stored.plus(one);
          // the counts are by a document's own rules: they do not contain what its parent does
          live = liveness.isLiveByItself(record, scan.key()) ? live.plus(one) : live;
          record(record, expired);
        }
      }
    }
    Usage known = owner.documentCounts().totals().stored();
    if (!counted.equals(live) || !known.equals(stored)) {
      wrong(
          "the counts are "
              + counted
              + " live of "
              + known
              + " stored, the records are "
              + live
              + " live of "
              + stored
              + " stored",
          true);
      if (repair) {
        owner.repairCounts(repairs, stored);
      }
    }
  }

  private void record(byte[] record, boolean expired) {
    Document document = RecordFormat.document(record);
    PrimaryKey key = PrimaryKey.of(compiled.spec(), document);
    if (!expired) {
      for (IndexState index : compiled.state().indexes()) {
        if (index.ready()) {
          indexed(index, key, record, document);
        }
      }
    }
    for (Lane lane : readyLanes()) {
      long place = Schedule.placeOf(lane, record);
      if (place != Header.NO_PLACE) {
        queued(lane, place, key, record, document);
      }
    }
  }

  private void indexed(IndexState index, PrimaryKey key, byte[] record, Document document) {
    for (byte[] entryKey : keys.of(compiled, index, key, record)) {
      byte[] entry = owner.shard().read(Space.ENTRIES, entryKey);
      boolean mine = entry != null && belongs(index, entryKey, entry, key, record);
      boolean taken = entry != null && !mine && index.spec().unique() && held(entry);
      if (taken) {
        wrong(
            "index " + index.spec().name() + " has another document under the key of " + document,
            false);
      } else if (!mine) {
        byte[] header = ShardBuild.entryHeader(compiled, record);
        repairs.put(
            Space.ENTRIES, entryKey, IndexEntryValues.value(index, key, header, header.length));
        wrong("index " + index.spec().name() + " has no entry of " + document, true);
      }
    }
  }

  private static boolean belongs(
      IndexState index, byte[] entryKey, byte[] entry, PrimaryKey key, byte[] record) {
    byte[] holder = IndexEntryValues.primaryKey(index.spec().unique(), entryKey, entry);
    return Arrays.equals(holder, key.bytes()) && Header.born(entry, 0) == Header.born(record, 0);
  }

  /** Returns whether a live document holds a unique entry. */
  private boolean held(byte[] entry) {
    byte[] holderKey = IndexEntryValues.uniqueHolder(entry);
    byte[] holder = owner.record(holderKey);
    return holder != null
        && Header.born(holder, 0) == Header.born(entry, 0)
        && liveness.isLive(holder, holderKey);
  }

  private List<Lane> readyLanes() {
    return compiled.kept().stream()
        .filter(
            lane ->
                compiled.state().lanes().stream()
                    .anyMatch(state -> state.number() == lane.number() && state.ready()))
        .toList();
  }

  private void queued(Lane lane, long place, PrimaryKey key, byte[] record, Document document) {
    byte[] laneKey = Layout.lane(lane.number(), place, key.bytes());
    byte[] entry = owner.shard().read(Space.QUEUES, laneKey);
    boolean right =
        entry != null
            && Header.sequence(entry, 0) == Header.sequence(record, 0)
            && LaneEntry.documentBytes(entry) == document.length();
    if (!right) {
      repairs.put(
          Space.QUEUES, laneKey, IndexEntryValues.lane(record, document.length(), key.spelled()));
      if (repair) {
        owner.lanes().written(lane.number(), laneKey, place, due(lane, place));
      }
      wrong("lane " + lane.number() + " has no entry of " + document, true);
    }
  }

  private static long due(Lane lane, long place) {
    return Deadline.of(place, lane.lifeMillis());
  }

  private void indexes() {
    for (IndexState index : compiled.state().indexes()) {
      Range all = Range.prefix(Layout.indexPrefix(index.id()));
      try (Scan scan = owner.shard().scan(Space.ENTRIES, all, Direction.UP)) {
        while (index.ready() && scan.next()) {
          entries++;
          entry(index, scan.key(), scan.value());
        }
      }
    }
  }

  /** Checks that an entry belongs to a document or is dead. */
  private void entry(IndexState index, byte[] key, byte[] entry) {
    if (liveness.cutoffs().judge(entry, 0) == Verdict.EXPIRED) {
      return;
    }
    byte[] primaryKey = IndexEntryValues.primaryKey(index.spec().unique(), key, entry);
    byte[] record = owner.record(primaryKey);
    if (record == null
        || Header.born(record, 0) != Header.born(entry, 0)
        || !hasKey(index, record, key)) {
      repairs.delete(Space.ENTRIES, key);
      wrong("index " + index.spec().name() + " has an entry without a document", true);
    }
  }

  private boolean hasKey(IndexState index, byte[] record, byte[] key) {
    Document document = RecordFormat.document(record);
    return keys.of(compiled, index, PrimaryKey.of(compiled.spec(), document), record).stream()
        .anyMatch(one -> Arrays.equals(one, key));
  }

  private void lanes() {
    for (Lane lane : readyLanes()) {
      Range all = Range.prefix(Layout.lanePrefix(lane.number()));
      try (Scan scan = owner.shard().scan(Space.QUEUES, all, Direction.UP)) {
        while (scan.next()) {
          laneEntries++;
          laneEntry(lane, scan.key(), scan.value());
        }
      }
    }
  }

  private void laneEntry(Lane lane, byte[] key, byte[] entry) {
    byte[] primaryKey = Layout.lanePrimaryKey(key);
    byte[] record = owner.record(primaryKey);
    boolean placed =
        record != null
            && !owner.sweptLanes().covers(record, primaryKey)
            && Schedule.placeOf(lane, record) == Layout.place(key);
    if (!placed && owner.sweptLanes().judge(entry, primaryKey) == Verdict.LIVE) {
      repairs.delete(Space.QUEUES, key);
      wrong("lane " + lane.number() + " has an entry without a document", true);
    }
  }

  private void wrong(String what, boolean repairable) {
    long repaired = repair && repairable ? 1 : 0;
    findings = findings.plus(new CheckReport(0, 0, 0, 1, repaired, List.of(name + ": " + what)));
  }
}
