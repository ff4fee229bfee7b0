package dev.mayfly.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.CollectionSpec.FeedSpec;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Marks of the sweep, and power failures after it. */
final class SweepMarksTest {
  private static final Namespace NAME = new Namespace("db", "things");
  private static final int DOCUMENTS = 1000;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final EngineSettings settings =
      EngineSettings.standard(clock::now).withBackground(false).withReclaimBytes(Long.MAX_VALUE);
  private MemoryStore store = MemoryStore.withFilters();

  @Test
  void compactionDropsOnlyByMarksOnDisk() {
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      LocalCollection things = swept(engine, ChangeImageMode.NONE);
      compact(things);
      assertThat(stored(things)).isEqualTo(DOCUMENTS + 1);
      engine.sync();
      engine.work();
      compact(things);
      assertThat(stored(things)).isEqualTo(1);
    }
  }

  @Test
  void marksOfBeforeARestartAreUsedOnceSynced() {
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      swept(engine, ChangeImageMode.NONE);
    }
    store = store.reopen();
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      LocalCollection things = engine.collection(NAME);
      compact(things);
      assertThat(stored(things)).isEqualTo(DOCUMENTS + 1);
      ShardOwner owner = things.owners().getFirst();
      owner.syncMarks(owner.ticketMarks());
      compact(things);
      assertThat(stored(things)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void sweepLostInAPowerFailureIsRepeated(ChangeImageMode images) {
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      compact(swept(engine, images));
    }
    store = store.powerLoss();
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      LocalCollection things = engine.collection(NAME);
      engine.workUntilIdle();
      assertThat(expiries(things)).isEqualTo(DOCUMENTS);
      assertThat(things.usage().documents()).isOne();
      assertThat(things.check(false).wrong()).isZero();
    }
  }

  /** Simulates a directory of an earlier version, whose filter did not wait for the disk. */
  @ParameterizedTest
  @EnumSource
  void documentWithALostRecordIsReportedAndCounted(ChangeImageMode images) {
    int shard;
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      LocalCollection things = written(engine, images);
      shard = things.owners().getFirst().shard().number();
    }
    Shard direct = store.own(shard);
    try (Scan records = direct.scan(Space.RECORDS, Range.all(), Direction.UP)) {
      for (int i = 0; i < 100 && records.next(); i++) {
        direct.commit(new Batch().delete(Space.RECORDS, records.key()));
      }
    }
    clock.advance(Duration.ofSeconds(11));
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      LocalCollection things = engine.collection(NAME);
      engine.workUntilIdle();
      assertThat(expiries(things)).isEqualTo(DOCUMENTS);
      assertThat(things.usage().documents()).isOne();
      assertThat(things.check(false).wrong()).isZero();
    }
  }

  private LocalCollection written(LocalEngine engine, ChangeImageMode images) {
    CollectionSpec spec = CollectionSpec.mongo().withDefaultTtl(10);
    LocalCollection things =
        engine.create(NAME, spec.withFeed(new FeedSpec(images, 86_400_000, 1L << 30)));
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      writes.add(new Write.Insert(Document.writer().put("_id", i).put("n", i).build()));
    }
    writes.add(new Write.Insert(Document.writer().put("_id", "stays").put("ttl", -1).build()));
    things.write(writes, Grouping.ORDERED, Durability.SYNCED);
    return things;
  }

  /** All but one are swept, without a flush of the log since they were written. */
  private LocalCollection swept(LocalEngine engine, ChangeImageMode images) {
    LocalCollection things = written(engine, images);
    clock.advance(Duration.ofSeconds(11));
    engine.workUntilIdle();
    assertThat(engine.sweepStats().documents()).isEqualTo(DOCUMENTS);
    return things;
  }

  /** Compacts, as a store may do at any time. */
  private void compact(LocalCollection things) {
    int shard = things.owners().getFirst().shard().number();
    store.reclaim(shard, Space.RECORDS);
    store.reclaim(shard, Space.ENTRIES);
  }

  private static int stored(LocalCollection things) {
    int stored = 0;
    Shard shard = things.owners().getFirst().shard();
    try (Scan scan = shard.scan(Space.RECORDS, Range.all(), Direction.UP)) {
      while (scan.next()) {
        stored++;
      }
    }
    return stored;
  }

  private static long expiries(LocalCollection things) {
    return things.feeds().getFirst().read(0, Integer.MAX_VALUE).stream()
        .filter(change -> change.kind() == Change.Kind.EXPIRE)
        .count();
  }
}
