package dev.mayfly.engine.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.engine.race.LongHistory.Answer;
import dev.mayfly.engine.race.LongHistory.Begun;
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
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Readers and writers of overlapping documents and unique keys, while documents expire: the history
 * is linearizable, exact expiry included.
 */
@ExtendWith(SeedExtension.class)
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LongHistoryTest {
  private static final Namespace NAME = new Namespace("db", "things");
  private static final int CLIENTS = 6;
  private static final int ROUNDS = Integer.getInteger("mayfly.history.rounds", 1500);
  private static final int IDS = 12;
  private static final int UNIQUE_KEYS = 20;
  private static final int MOST = 10_000_000;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);
  private final AtomicLong tokens = new AtomicLong();
  private final LongHistory history = new LongHistory();

  private static CollectionSpec spec() {
    return CollectionSpec.mongo()
        .withIndex(IndexSpec.implicit("u", Part.ascending(FieldPath.of("u"))).withUnique(true))
        .withDefaultTtl(1)
        .withFeed(new CollectionSpec.FeedSpec(ChangeImageMode.AFTER, 1L << 50, 1L << 40));
  }

  @Test
  void inMemory(Random random) throws Exception {
    historyIsLinearizable(MemoryStore.withFilters(), random);
  }

  @Test
  void onRocksDb(Random random, @TempDir Path directory) throws Exception {
    historyIsLinearizable(RocksStore.open(directory, RocksSettings.defaults()), random);
  }

  private void historyIsLinearizable(Store store, Random random) throws Exception {
    try (store;
        LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      LocalCollection things = engine.create(NAME, spec());
      Crowd crowd = new Crowd();
      for (int i = 0; i < CLIENTS; i++) {
        Random own = new Random(random.nextLong());
        crowd.worker(
            () -> {
              for (int round = 0; round < ROUNDS; round++) {
                operate(engine, things, own);
              }
            });
      }
      crowd.meanwhile(
          () -> {
            clock.advance(Duration.ofMillis(7));
            engine.work();
          });
      crowd.runOnPlatformThreads();
      history.check(things.feeds().getFirst().read(FeedReader.BEGINNING, MOST));
      Audit.check(engine, things);
    }
  }

  private void operate(LocalEngine engine, LocalCollection things, Random random) {
    int id = random.nextInt(IDS);
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> read(things, id);
      case 3 -> findByKey(engine, things, random.nextInt(UNIQUE_KEYS));
      default -> write(things, id, random);
    }
  }

  private void read(LocalCollection things, int id) {
    Begun begun = history.begin(clock.now());
    Optional<StoredDocument> found = things.read(DocumentKey.of(Value.of(id)));
    history.end(
        begun, id, clock.now(), found.map(LongHistoryTest::seen).orElse(new Answer.Absent()));
  }

  private static Answer seen(StoredDocument found) {
    return new Answer.Present(token(found.document()));
  }

  private static long token(Document document) {
    return document.field("token").asLong();
  }

  /** Finds by the unique index, as an event loop does if it can. */
  private void findByKey(LocalEngine engine, LocalCollection things, int key) {
    Query query = Query.of(Filter.equal(FieldPath.of("u"), Value.of(key)), Mode.MATCH);
    Begun begun = history.begin(clock.now());
    Optional<Document> found;
    try {
      found = first(things.query(OperationContext.begin(engine::now, new PendingCommit()), query));
    } catch (WouldBlock later) {
      begun = history.begin(clock.now());
      found = first(things.query(things.operation(), query));
    }
    if (found.isPresent()) {
      int id = found.get().field("_id").asInt();
      history.end(begun, id, clock.now(), new Answer.Present(token(found.get())));
    }
  }

  private static Optional<Document> first(Cursor cursor) {
    try (cursor) {
      return cursor.next() ? Optional.of(cursor.document()) : Optional.empty();
    }
  }

  private void write(LocalCollection things, int id, Random random) {
    DocumentKey key = DocumentKey.of(Value.of(id));
    int unique = random.nextInt(UNIQUE_KEYS);
    Document document =
        Document.writer()
            .put("_id", id)
            .put("u", unique)
            .put("token", tokens.incrementAndGet())
            .build();
    Write write =
        switch (random.nextInt(4)) {
          case 0 -> new Write.Insert(document);
          case 1 -> new Write.Delete(key);
          case 2 -> new Write.Update(key, _ -> document);
          default -> new Write.Upsert(document);
        };
    Begun begun = history.begin(clock.now());
    WriteOutcome outcome = outcome(things, write, random);
    history.end(begun, id, clock.now(), answer(outcome, unique));
  }

  private static WriteOutcome outcome(LocalCollection things, Write write, Random random) {
    List<Write> one = List.of(write);
    if (random.nextBoolean()) {
      PendingCommit pending = new PendingCommit();
      try {
        WriteOutcome outcome =
            things.writeDeferred(one, Durability.LOGGED, null, pending).outcomes().getFirst();
        pending.await();
        return outcome;
      } catch (WouldBlock later) {
        assertThat(pending.isEmpty()).isTrue();
      }
    }
    return things.write(one, Grouping.UNORDERED, Durability.LOGGED).outcomes().getFirst();
  }

  private static Answer answer(WriteOutcome outcome, int unique) {
    return switch (outcome) {
      case WriteOutcome.Inserted(StoredDocument after) -> wrote(after);
      case WriteOutcome.Updated(_, StoredDocument after) -> wrote(after);
      case WriteOutcome.Deleted(Document before) -> new Answer.Deleted(token(before));
      case WriteOutcome.Failed(EngineException failure) ->
          switch (failure.reason()) {
            case DUPLICATE_ID -> new Answer.IdTaken();
            case DUPLICATE_KEY -> new Answer.KeyTaken(unique);
            case NOT_FOUND -> new Answer.Absent();
            default -> throw failure;
          };
      default -> throw new AssertionError(outcome);
    };
  }

  private static Answer wrote(StoredDocument after) {
    return new Answer.Wrote(token(after.document()), after.deadline());
  }

  /** The check itself fails for a read of the past, and for one of an expired document. */
  @Test
  void wrongReadsAreFound() {
    try (LocalEngine engine = LocalEngine.open(new MemoryStore(), clock, settings)) {
      LocalCollection things = engine.create(NAME, spec());
      Random random = new Random(1);
      for (int i = 0; i < 50; i++) {
        write(things, 1, random);
      }
      history.check(things.feeds().getFirst().read(FeedReader.BEGINNING, MOST));

      LongHistory past = new LongHistory();
      Document old = Document.writer().put("_id", 2).put("u", 98).put("token", 1_000_001L).build();
      Document young =
          Document.writer().put("_id", 2).put("u", 98).put("token", 1_000_002L).build();
      for (Document document : List.of(old, young)) {
        Begun begun = past.begin(clock.now());
        WriteOutcome outcome = things.write(new Write.Upsert(document));
        past.end(begun, 2, clock.now(), answer(outcome, 98));
      }
      past.end(past.begin(clock.now()), 2, clock.now(), new Answer.Present(1_000_001L));
      assertThatThrownBy(
              () -> past.check(things.feeds().getFirst().read(FeedReader.BEGINNING, MOST)))
          .isInstanceOf(AssertionError.class);
    }
  }

  @Test
  void readsOfExpiredDocumentsAreFound() {
    try (LocalEngine engine = LocalEngine.open(new MemoryStore(), clock, settings)) {
      LocalCollection things = engine.create(NAME, spec());
      Document document = Document.writer().put("_id", 1).put("u", 1).put("token", 1L).build();
      Begun begun = history.begin(clock.now());
      history.end(begun, 1, clock.now(), answer(things.write(new Write.Insert(document)), 1));
      clock.advance(Duration.ofSeconds(1));
      history.end(history.begin(clock.now()), 1, clock.now(), new Answer.Present(1));
      assertThatThrownBy(
              () -> history.check(things.feeds().getFirst().read(FeedReader.BEGINNING, MOST)))
          .isInstanceOf(AssertionError.class);
    }
  }
}
