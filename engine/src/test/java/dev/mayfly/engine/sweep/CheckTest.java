package dev.mayfly.engine.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CheckReport;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CheckTest {
  private static final int DOCUMENTS = 10;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final MemoryStore store = new MemoryStore();
  private final EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);
  private final LocalEngine engine = LocalEngine.open(store, clock, settings);
  private final LocalCollection things =
      engine.create(
          new Namespace("db", "things"),
          CollectionSpec.mongo()
              .withDefaultTtl(100)
              .withIndex(IndexSpec.implicit("n_1", Part.ascending(FieldPath.of("n"))))
              .withIndex(
                  IndexSpec.implicit("u_1", Part.ascending(FieldPath.of("u"))).withUnique(true)));

  @BeforeEach
  void fill() {
    for (int i = 0; i < DOCUMENTS; i++) {
      things.insert(Document.writer().put("_id", i).put("n", i % 3).put("u", i).build());
    }
  }

  @AfterEach
  void close() {
    engine.close();
    store.close();
  }

  @Test
  void checkFindsNoErrorsInNormalData() {
    clock.advance(Duration.ofSeconds(50));
    things.insert(Document.writer().put("_id", "late").put("n", 1).put("u", "late").build());
    clock.advance(Duration.ofSeconds(50));
    CheckReport found = things.check(false);
    assertThat(found.examples()).isEmpty();
    assertThat(found.records()).isEqualTo(DOCUMENTS + 1);
    assertThat(found.entries()).isEqualTo(2 * (DOCUMENTS + 1));
    assertThat(found.laneEntries()).isEqualTo(DOCUMENTS + 1);
  }

  /** Kinds of entries of a document besides its record. */
  enum Place {
    ENTRIES,
    LANE;

    Space space() {
      return this == ENTRIES ? Space.ENTRIES : Space.QUEUES;
    }

    Range range() {
      return this == ENTRIES ? Range.all() : Range.prefix(new byte[] {'L'});
    }
  }

  private byte[] firstKey(Place place) {
    ShardOwner owner = things.owners().getFirst();
    try (Scan scan = owner.shard().scan(place.space(), place.range(), Direction.UP)) {
      assertThat(scan.next()).isTrue();
      return scan.key();
    }
  }

  @ParameterizedTest
  @EnumSource
  void missingEntriesAreFoundAndRepaired(Place place) {
    byte[] lost = firstKey(place);
    things.owners().getFirst().shard().commit(new Batch().delete(place.space(), lost));
    assertThat(things.check(false).wrong()).isEqualTo(1);
    CheckReport repaired = things.check(true);
    assertThat(repaired.repaired()).isEqualTo(1);
    assertThat(repaired.examples().getFirst()).contains("db.things", "has no entry of");
    assertThat(firstKey(place)).isEqualTo(lost);
    assertThat(things.check(false)).isEqualTo(things.check(true));
    Audit.check(engine, things);
  }

  @Test
  void entriesWithoutADocumentAreFoundAndRemoved() {
    ShardOwner owner = things.owners().getFirst();
    byte[] entry = firstKey(Place.ENTRIES);
    byte[] value = Objects.requireNonNull(owner.shard().read(Space.ENTRIES, entry));
    byte[] other = Layout.after(entry);
    owner.shard().commit(new Batch().put(Space.ENTRIES, other, value));
    assertThat(things.check(false).wrong()).isEqualTo(1);
    assertThat(things.check(true).repaired()).isEqualTo(1);
    assertThat(things.check(false).wrong()).isZero();
    Audit.check(engine, things);
  }

  @Test
  void wrongCountIsReportedAndRepaired() {
    ShardOwner owner = things.owners().getFirst();
    byte[] record = firstRecord(owner);
    owner.shard().commit(new Batch().delete(Space.RECORDS, record));
    CheckReport found = things.check(true);
    assertThat(found.examples()).anyMatch(text -> text.contains("counts"));
    assertThat(found.repaired()).isEqualTo(found.wrong());
    assertThat(things.check(false).wrong()).isZero();
    assertThat(things.usage().documents()).isEqualTo(DOCUMENTS - 1);
    for (int life = 0; life < 2; life++) {
      try (LocalEngine again = LocalEngine.open(store, clock, settings)) {
        LocalCollection opened = again.collection(things.namespace());
        assertThat(opened.usage().documents()).isEqualTo(DOCUMENTS - 1 + life);
        assertThat(opened.check(false).wrong()).isZero();
        opened.insert(Document.writer().put("_id", "new" + life).put("u", "new" + life).build());
      }
    }
  }

  private static byte[] firstRecord(ShardOwner owner) {
    try (Scan scan = owner.shard().scan(Space.RECORDS, Range.all(), Direction.UP)) {
      assertThat(scan.next()).isTrue();
      return scan.key();
    }
  }
}
