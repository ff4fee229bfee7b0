package dev.mayfly.engine.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Store;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writers of overlapping documents and unique keys, in bulk, one by one and deferred, while
 * documents expire. The changes in the feed, applied in order, must give the documents that are
 * stored; and nobody may ever have read the feed with a hole.
 */
@ExtendWith(SeedExtension.class)
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class OverlappingWritersTest {
  private static final Namespace NAME = new Namespace("db", "things");
  private static final int WRITERS = 6;
  private static final int ROUNDS = 400;
  private static final int IDS = 60;
  private static final int UNIQUE_KEYS = 40;
  private static final int MOST = 100_000;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);

  private static CollectionSpec spec() {
    return CollectionSpec.mongo()
        .withIndex(IndexSpec.implicit("u", Part.ascending(FieldPath.of("u"))).withUnique(true))
        .withIndex(IndexSpec.implicit("n", Part.ascending(FieldPath.of("n"))))
        .withDefaultTtl(3)
        .withFeed(new CollectionSpec.FeedSpec(ChangeImageMode.AFTER, 1L << 50, 1L << 40));
  }

  @Test
  void inMemory(Random random) throws Exception {
    writersAgree(MemoryStore.withFilters(), random);
  }

  @Test
  void onRocksDb(Random random, @TempDir Path directory) throws Exception {
    writersAgree(RocksStore.open(directory, RocksSettings.defaults()), random);
  }

  private void writersAgree(Store store, Random random) throws Exception {
    try (store) {
      try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
        LocalCollection things = engine.create(NAME, spec());
        List<Change> followed = new ArrayList<>();
        Crowd crowd = new Crowd();
        for (int i = 0; i < WRITERS; i++) {
          Random own = new Random(random.nextLong());
          crowd.worker(
              () -> {
                for (int round = 0; round < ROUNDS; round++) {
                  write(things, own);
                }
              });
        }
        crowd.meanwhile(
            () -> {
              clock.advance(Duration.ofMillis(20));
              engine.work();
            });
        crowd.meanwhile(() -> follow(things, followed));
        crowd.runOnPlatformThreads();
        follow(things, followed);
        assertThat(followed).isEqualTo(things.feeds().getFirst().read(FeedReader.BEGINNING, MOST));
        check(things, followed);
        Audit.check(engine, things);
      }
      try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
        Audit.check(engine, engine.collection(NAME));
      }
    }
  }

  private static void follow(LocalCollection things, List<Change> followed) {
    long after = followed.isEmpty() ? FeedReader.BEGINNING : followed.getLast().position();
    followed.addAll(things.feeds().getFirst().read(after, MOST));
  }

  private static Document document(Random random) {
    return Document.writer()
        .put("_id", random.nextInt(IDS))
        .put("u", random.nextInt(UNIQUE_KEYS))
        .put("n", random.nextInt(10))
        .build();
  }

  private static Write oneWrite(Random random) {
    DocumentKey key = DocumentKey.of(Value.of(random.nextInt(IDS)));
    return switch (random.nextInt(4)) {
      case 0 -> new Write.Insert(document(random));
      case 1 -> new Write.Delete(key);
      case 2 -> {
        int u = random.nextInt(UNIQUE_KEYS);
        int n = random.nextInt(10);
        yield new Write.Update(
            key,
            before ->
                Document.writer().put("_id", before.field("_id")).put("u", u).put("n", n).build());
      }
      default -> new Write.Upsert(document(random));
    };
  }

  private static void write(LocalCollection things, Random random) {
    if (random.nextInt(4) == 0) {
      List<Write> bulk = new ArrayList<>();
      for (int i = random.nextInt(10); i >= 0; i--) {
        bulk.add(oneWrite(random));
      }
      things.write(bulk, Grouping.UNORDERED, Durability.LOGGED);
      return;
    }
    Write write = oneWrite(random);
    PendingCommit pending = new PendingCommit();
    try {
      if (random.nextBoolean()) {
        things.writeDeferred(List.of(write), Durability.LOGGED, null, pending);
        pending.await();
        return;
      }
    } catch (WouldBlock later) {
      assertThat(pending.isEmpty()).isTrue();
    }
    List<WriteOutcome> outcomes =
        things.write(List.of(write), Grouping.ATOMIC, Durability.LOGGED).outcomes();
    if (outcomes.getFirst() instanceof WriteOutcome.Failed(EngineException failure)) {
      assertThat(failure.reason())
          .isIn(
              EngineException.Reason.DUPLICATE_ID,
              EngineException.Reason.DUPLICATE_KEY,
              EngineException.Reason.NOT_FOUND);
    }
  }

  /** Applies the changes in order, and compares the result with what a scan finds. */
  private static void check(LocalCollection things, List<Change> changes) {
    Map<Integer, Document> documents = new TreeMap<>();
    long position = FeedReader.BEGINNING;
    for (Change change : changes) {
      assertThat(change.position()).isGreaterThan(position);
      position = change.position();
      int id = change.key().id().asInt();
      switch (change.kind()) {
        case INSERT ->
            assertThat(documents.put(id, change.after())).as("insert of %s", id).isNull();
        case UPDATE, REPLACE ->
            assertThat(documents.put(id, change.after())).as("update of %s", id).isNotNull();
        case DELETE, EXPIRE -> assertThat(documents.remove(id)).as("end of %s", id).isNotNull();
      }
    }
    Set<Integer> unique = new HashSet<>();
    long live = 0;
    try (Cursor cursor = things.query(Query.of(Filter.all(), Mode.MATCH))) {
      while (cursor.next()) {
        Document found = cursor.document();
        assertThat(documents.get(found.field("_id").asInt())).isEqualTo(found);
        assertThat(unique.add(found.field("u").asInt())).as("unique key of %s", found).isTrue();
        live++;
      }
    }
    assertThat(things.usage().documents()).isEqualTo(live);
  }
}
