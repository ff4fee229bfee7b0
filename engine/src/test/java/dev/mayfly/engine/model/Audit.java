package dev.mayfly.engine.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.catalog.LaneState;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.shard.IndexEntryKeys;
import dev.mayfly.engine.shard.IndexEntryValues;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.LaneEntry;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Audit of a collection without concurrent writes: recomputes indexes, lanes, usage and forecast
 * from its records, and compares them with the stored entries and counts.
 */
public final class Audit {
  private static final long[] HORIZONS = {0, 1, 999, 10_000, 3_600_000, 86_400_000_000L};

  private final LocalCollection collection;
  private final ShardOwner owner;
  private final CompiledCollection compiled;
  private final Cutoffs cutoffs;
  private final IndexEntryKeys keys = new IndexEntryKeys();
  private final Map<String, byte[]> records = new TreeMap<>();

  private Audit(LocalCollection collection, ShardOwner owner, long now) {
    this.collection = collection;
    this.owner = owner;
    this.compiled = owner.compiled();
    this.cutoffs = owner.cutoffs(now);
    scan(Space.RECORDS, Range.all())
        .forEach(
            (key, record) -> {
              if (!owner.sweptLanes().covers(record, bytes(key))) {
                records.put(key, record);
              }
            });
  }

  /** Fails if an entry or count disagrees with the documents. */
  public static void check(LocalEngine engine, LocalCollection collection) {
    long now = engine.now();
    Usage live = Usage.NONE;
    Map<Long, Usage> due = new HashMap<>();
    for (ShardOwner owner : collection.owners()) {
      Audit audit = new Audit(collection, owner, now);
      audit.checkEntries();
      audit.checkLanes();
      live = live.plus(audit.live(owner.schedule().at(now)));
      for (long horizon : HORIZONS) {
        due.merge(horizon, audit.due(owner.schedule(), now, now + horizon), Usage::plus);
      }
    }
    assertThat(collection.usage()).as("usage of " + collection.namespace()).isEqualTo(live);
    assertThat(collection.check(false).examples()).as("what the check says").isEmpty();
    for (long horizon : HORIZONS) {
      assertThat(collection.expiry().forecast(now + horizon).total())
          .as("due within " + horizon)
          .isEqualTo(due.get(horizon));
    }
  }

  /** The live documents, by a scan of all records. */
  public static List<Document> live(LocalEngine engine, LocalCollection collection) {
    long now = engine.now();
    List<Document> live = new ArrayList<>();
    for (ShardOwner owner : collection.owners()) {
      Audit audit = new Audit(collection, owner, now);
      audit.records.values().stream()
          .filter(record -> !audit.cutoffs.expired(record))
          .forEach(record -> live.add(RecordFormat.document(record)));
    }
    return live;
  }

  /** The number of entries of a shard with a prefix. */
  public static int entries(ShardOwner owner, Space space, byte[] prefix) {
    int count = 0;
    try (Scan scan = owner.shard().scan(space, Range.prefix(prefix), Direction.UP)) {
      while (scan.next()) {
        count++;
      }
    }
    return count;
  }

  private Usage live(Cutoffs now) {
    Usage usage = Usage.NONE;
    for (byte[] record : records.values()) {
      usage = now.expired(record) ? usage : usage.plus(sizeOf(record));
    }
    return usage;
  }

  private Usage due(Schedule schedule, long now, long until) {
    return live(schedule.at(now)).minus(live(schedule.at(until)));
  }

  private static Usage sizeOf(byte[] record) {
    return new Usage(1, RecordFormat.document(record).length());
  }

  private void checkEntries() {
    for (IndexState index : compiled.state().indexes()) {
      if (index.ready()) {
        checkEntries(index);
      }
    }
  }

  private void checkEntries(IndexState index) {
    Map<String, byte[]> stored = scan(Space.ENTRIES, Range.prefix(Layout.indexPrefix(index.id())));
    Map<String, String> expected = new HashMap<>();
    records.forEach(
        (key, record) -> {
          for (byte[] entryKey : keysOf(index, record)) {
            if (!cutoffs.expired(record)) {
              expected.put(text(entryKey), key);
              byte[] entry =
                  there(stored.get(text(entryKey)), where(index, "has no entry for", record));
              assertThat(text(IndexEntryValues.primaryKey(index.spec().unique(), entryKey, entry)))
                  .as(where(index, "has another document under the key", record))
                  .isEqualTo(key);
              assertThat(Header.born(entry, 0)).isEqualTo(Header.born(record, 0));
            }
          }
        });
    stored.forEach((key, entry) -> checkEntry(index, bytes(key), entry, expected));
  }

  /** Checks that an entry belongs to a document or is dead. */
  private void checkEntry(
      IndexState index, byte[] key, byte[] entry, Map<String, String> expected) {
    if (cutoffs.judge(entry, 0) == Verdict.EXPIRED || expected.containsKey(text(key))) {
      return;
    }
    byte[] primaryKey = IndexEntryValues.primaryKey(index.spec().unique(), key, entry);
    byte[] record =
        there(owner.record(primaryKey), "index " + index.spec().name() + " has a dangling entry");
    boolean dead =
        Header.born(record, 0) == Header.born(entry, 0)
            && cutoffs.expired(record)
            && keysOf(index, record).stream().anyMatch(one -> text(one).equals(text(key)));
    assertThat(dead).as(where(index, "has an entry that does not belong to", record)).isTrue();
  }

  private List<byte[]> keysOf(IndexState index, byte[] record) {
    Document document = RecordFormat.document(record);
    return keys.of(compiled, index, PrimaryKey.of(compiled.spec(), document), record);
  }

  private String where(IndexState index, String what, byte[] record) {
    return collection.namespace()
        + ": index "
        + index.spec().name()
        + " "
        + what
        + " "
        + RecordFormat.document(record);
  }

  private void checkLanes() {
    for (LaneState state : compiled.state().lanes()) {
      for (Lane lane : compiled.kept()) {
        if (state.ready() && state.number() == lane.number()) {
          checkLane(lane);
        }
      }
    }
  }

  private void checkLane(Lane lane) {
    Map<String, byte[]> stored = scan(Space.QUEUES, Range.prefix(Layout.lanePrefix(lane.number())));
    Map<String, byte[]> expected = new HashMap<>();
    records.forEach(
        (key, record) -> {
          long place = Schedule.placeOf(lane, record);
          if (place != Header.NO_PLACE) {
            expected.put(text(Layout.lane(lane.number(), place, bytes(key))), record);
          }
        });
    assertThat(stored.keySet()).as("lane " + lane.number()).containsAll(expected.keySet());
    stored.forEach(
        (key, entry) -> {
          byte[] record = expected.get(key);
          if (record == null) {
            assertThat(owner.sweptLanes().judge(entry, Layout.lanePrimaryKey(bytes(key))))
                .as("an entry of lane " + lane.number() + " without a document")
                .isNotEqualTo(Verdict.LIVE);
          } else {
            assertThat(LaneEntry.documentBytes(entry))
                .isEqualTo(RecordFormat.document(record).length());
            assertThat(Header.sequence(entry, 0)).isEqualTo(Header.sequence(record, 0));
          }
        });
  }

  private static byte[] there(byte @Nullable [] found, String otherwise) {
    if (found == null) {
      throw new AssertionError(otherwise);
    }
    return found;
  }

  private Map<String, byte[]> scan(Space space, Range range) {
    Map<String, byte[]> found = new TreeMap<>();
    try (Scan scan = owner.shard().scan(space, range, Direction.UP)) {
      while (scan.next()) {
        found.put(text(scan.key()), scan.value());
      }
    }
    return found;
  }

  private static String text(byte[] key) {
    return HexFormat.of().formatHex(key);
  }

  private static byte[] bytes(String key) {
    return HexFormat.of().parseHex(key);
  }
}
