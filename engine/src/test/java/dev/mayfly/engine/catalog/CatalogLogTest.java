package dev.mayfly.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CatalogChange;
import dev.mayfly.engine.CatalogChange.Altered;
import dev.mayfly.engine.CatalogChange.Created;
import dev.mayfly.engine.CatalogChange.DatabaseDropped;
import dev.mayfly.engine.CatalogChange.Dropped;
import dev.mayfly.engine.CatalogChange.Renamed;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.Direction;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Log of catalog changes, and feeds of dropped collections. */
final class CatalogLogTest {
  private static final Namespace NAME = new Namespace("d", "c");
  private static final Namespace OTHER = new Namespace("d", "o");

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);
  private MemoryStore store = MemoryStore.withFilters();
  private LocalEngine engine = LocalEngine.open(store, clock, settings);

  @AfterEach
  void close() {
    engine.close();
  }

  /** Reopens the store without a close, as after a kill. */
  private void restart() {
    store = store.reopen();
    engine = LocalEngine.open(store, clock, settings);
  }

  private LocalCollection filled(Namespace name, int documents) {
    LocalCollection collection = engine.create(name, CollectionSpec.mongo());
    for (int i = 0; i < documents; i++) {
      collection.insert(Document.writer().put("_id", i).build());
    }
    return collection;
  }

  private List<String> kinds(long after) {
    return engine.catalogChanges(after).stream()
        .map(change -> change.getClass().getSimpleName())
        .toList();
  }

  @Test
  void catalogChangesAreLoggedInOrder() {
    LocalCollection collection = filled(NAME, 1);
    collection.alter(spec -> spec.withTimeToLive(TimeToLive.NONE.withDefault(10)));
    collection.alter(spec -> spec);
    engine.rename(NAME, OTHER, false);
    engine.drop(OTHER);
    restart();
    List<CatalogChange> changes = engine.catalogChanges(FeedReader.BEGINNING);
    assertThat(changes)
        .satisfiesExactly(
            created -> assertThat(created).isInstanceOf(Created.class),
            altered ->
                assertThat(((Altered) altered).after().timeToLive().defaultSeconds()).isEqualTo(10),
            renamed -> assertThat(((Renamed) renamed).to()).isEqualTo(OTHER),
            dropped -> {
              assertThat(((Dropped) dropped).subject().namespace()).isEqualTo(OTHER);
              assertThat(((Dropped) dropped).subject().uuid()).isEqualTo(collection.uuid());
              assertThat(((Dropped) dropped).last())
                  .isBetween(changes.get(0).position(), changes.get(1).position());
            });
    assertThat(changes).isSortedAccordingTo((a, b) -> Long.compare(a.position(), b.position()));
    assertThat(kinds(changes.get(1).position())).containsExactly("Renamed", "Dropped");
  }

  @Test
  void dropDatabaseIsLoggedAfterItsCollections() {
    filled(NAME, 1);
    filled(new Namespace("e", "c"), 1);
    engine.create(OTHER, CollectionSpec.cosmos("pk"));
    assertThat(engine.dropDatabase("d", Dialect.MONGO)).isTrue();
    assertThat(engine.namespaces()).containsExactly(OTHER, new Namespace("e", "c"));
    assertThat(engine.catalogChanges(FeedReader.BEGINNING).getLast())
        .isInstanceOfSatisfying(
            DatabaseDropped.class, end -> assertThat(end.database()).isEqualTo("d"));
    assertThat(engine.dropDatabase("d", Dialect.MONGO)).isFalse();
  }

  @Test
  void feedOfADroppedCollectionIsKept() {
    LocalCollection dropped = filled(NAME, 3);
    engine.drop(NAME);
    engine.workUntilIdle();
    int shard = dropped.owners().getFirst().shard().number();
    assertThat(count(dropped, Space.RECORDS)).isZero();
    restart();
    engine.workUntilIdle();
    assertThat(engine.withFeeds()).hasSize(1);
    LocalCollection left = (LocalCollection) engine.withFeeds().getFirst();
    assertThat(left.owners().getFirst().shard().number()).isEqualTo(shard);
    assertThat(left.feeds().getFirst().read(FeedReader.BEGINNING, 10)).hasSize(3);
    assertThatThrownBy(() -> left.insert(Document.writer().put("_id", 9).build()))
        .isInstanceOf(EngineException.class);
  }

  private static long count(LocalCollection collection, Space space) {
    long count = 0;
    for (ShardOwner owner : collection.owners()) {
      try (Scan scan = owner.shard().scan(space, Range.all(), Direction.UP)) {
        while (scan.next()) {
          count++;
        }
      }
    }
    return count;
  }

  @Test
  void droppedCollectionIsErasedAfterItsRetention() {
    LocalCollection dropped = filled(NAME, 3);
    engine.drop(NAME);
    clock.advance(Duration.ofHours(24));
    engine.workUntilIdle();
    assertThat(engine.withFeeds()).isEmpty();
    assertThat(count(dropped, Space.QUEUES)).isZero();
    restart();
    assertThat(engine.withFeeds()).isEmpty();
  }

  @Test
  void collectionWithoutChangesIsErasedAtOnce() {
    filled(NAME, 0);
    engine.drop(NAME);
    assertThat(engine.withFeeds()).isEmpty();
  }

  @Test
  void numberOfKeptDroppedCollectionsIsLimited() {
    for (int i = 0; i < 1010; i++) {
      filled(NAME, 1);
      engine.drop(NAME);
    }
    engine.workUntilIdle();
    assertThat(engine.withFeeds()).hasSize(1000);
  }

  @Test
  void oldEntriesAreTrimmedAndLateReadersFail() {
    filled(NAME, 1);
    clock.advance(Duration.ofHours(25));
    LocalCollection kept = filled(OTHER, 1);
    engine.workUntilIdle();
    assertThat(kinds(engine.oldestCatalogChange())).containsExactly("Created");
    assertThatThrownBy(() -> engine.catalogChanges(FeedReader.BEGINNING))
        .isInstanceOfSatisfying(
            EngineException.class,
            failure -> assertThat(failure.reason()).isEqualTo(Reason.TRIMMED));
    restart();
    assertThat(kinds(engine.oldestCatalogChange())).containsExactly("Created");
    assertThat(engine.collection(OTHER).id()).isEqualTo(kept.id());
  }

  @Test
  void entriesThatAreNotTrimmedCanBeRead() {
    HookedStore hooked = new HookedStore(MemoryStore.withFilters());
    try (LocalEngine trimming = LocalEngine.open(hooked, clock, settings)) {
      trimming.create(NAME, CollectionSpec.mongo());
      clock.advance(Duration.ofHours(25));
      List<CatalogChange> read = new ArrayList<>();
      hooked.onCommit(_ -> read.addAll(trimming.catalogChanges(FeedReader.BEGINNING)));
      trimming.registry().trimCatalogLog(100);
      hooked.onCommit(_ -> {});
      assertThat(read).hasSize(1);
      assertThat(trimming.oldestCatalogChange()).isEqualTo(read.getFirst().position());
    }
  }
}
