package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.Charge;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class LocalCollectionTest {
  private static final Namespace NAME = new Namespace("db", "things");
  private static final Namespace OTHER = new Namespace("db", "others");
  private static final IndexSpec BY_N =
      IndexSpec.implicit("n_1", Part.ascending(FieldPath.of("n")));

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);

  private MemoryStore store = MemoryStore.withFilters();
  private LocalEngine engine = LocalEngine.open(store, clock, settings);

  private void restart() {
    engine.close();
    store = store.powerLoss();
    engine = LocalEngine.open(store, clock, settings);
  }

  @Test
  void catalogChangesSurviveAPowerFailure() {
    CollectionSpec spec =
        CollectionSpec.cosmos("tenant", "user")
            .withShards(3)
            .withIndex(IndexSpec.explicit("all", Part.wildcard(FieldPath.of(""))))
            .withFeed(new CollectionSpec.FeedSpec(ChangeImageMode.BOTH, 1234, 5678))
            .withThroughput(400);
    engine.create(NAME, spec.withTimeToLive(spec.timeToLive().withDefault(7).withGrace(99)));
    restart();
    CollectionSpec kept = engine.collection(NAME).spec();
    assertThat(kept).isEqualTo(spec.withTimeToLive(spec.timeToLive().withDefault(7).withGrace(99)));
    engine.collection(NAME).alter(one -> one.withDefaultTtl(TimeToLive.NEVER).withThroughput(0));
    restart();
    assertThat(engine.collection(NAME).spec())
        .isEqualTo(kept.withDefaultTtl(TimeToLive.NEVER).withThroughput(0));
    engine.rename(NAME, OTHER, false);
    restart();
    assertThat(engine.namespaces()).containsExactly(OTHER);
    engine.drop(OTHER);
    restart();
    assertThat(engine.namespaces()).isEmpty();
    engine.create(NAME, CollectionSpec.mongo());
    restart();
    assertThat(engine.namespaces()).containsExactly(NAME);
  }

  @Test
  void renamedDocumentKeepsItsBirthAndIsIndexed() {
    IndexSpec unique = IndexSpec.explicit("n", Part.ascending(FieldPath.of("n"))).withUnique(true);
    LocalCollection things = engine.create(NAME, CollectionSpec.cosmos().withIndex(unique));
    things.insert(Document.writer().put("id", "a").put("n", 7).build());
    long birth = things.read(DocumentKey.of("a")).orElseThrow().birth();
    things.insert(Document.writer().put("id", "c").put("n", 8).build());
    assertThat(inherit(things, "a", "c", 7)).isInstanceOf(WriteOutcome.Failed.class);
    assertThat(inherit(things, "a", "b", 8)).isInstanceOf(WriteOutcome.Failed.class);
    assertThat(things.read(DocumentKey.of("a"))).as("all or nothing").isPresent();
    assertThat(inherit(things, "a", "b", 7)).isInstanceOf(WriteOutcome.Inserted.class);
    assertThat(inherit(things, "b", "a", 7)).isInstanceOf(WriteOutcome.Inserted.class);
    StoredDocument heir = engine.collection(NAME).read(DocumentKey.of("a")).orElseThrow();
    assertThat(heir.birth()).isEqualTo(birth);
    assertThat(found(engine.collection(NAME), 7)).containsExactly("a");
    assertThat(engine.collection(NAME).read(DocumentKey.of("b"))).isEmpty();
  }

  @Test
  void renameNeedsADeleteInTheSameGroup() {
    LocalCollection things = engine.create(NAME, CollectionSpec.cosmos());
    things.insert(Document.writer().put("id", "a").build());
    Write.InsertRenamed insertRenamed =
        new Write.InsertRenamed(DocumentKey.of("a"), Document.writer().put("id", "b").build());
    assertThat(reason(() -> things.write(insertRenamed))).isEqualTo(Reason.NOT_FOUND);
  }

  private static WriteOutcome inherit(LocalCollection things, String from, String to, int n) {
    Document heir = Document.writer().put("id", to).put("n", n).build();
    List<Write> writes =
        List.of(
            new Write.Delete(DocumentKey.of(from)),
            new Write.InsertRenamed(DocumentKey.of(from), heir));
    return things.write(writes, Grouping.ATOMIC, Durability.LOGGED).outcomes().getLast();
  }

  private static List<String> found(LocalCollection things, int n) {
    Query query =
        Query.of(Filter.equal(FieldPath.of("n"), Value.of(n)), things.spec().dialect().mode());
    List<String> ids = new ArrayList<>();
    try (QueryCursor cursor = things.query(query)) {
      while (cursor.next()) {
        ids.add(cursor.document().field("id").asString());
      }
    }
    return ids;
  }

  @Test
  void readThatMustNotBlockReturnsTheSameAsRead() {
    LocalCollection things = engine.create(NAME, CollectionSpec.cosmos().withDefaultTtl(10));
    things.insert(Document.writer().put("id", "a").build());
    DocumentKey key = DocumentKey.of("a");
    PendingCommit pending = new PendingCommit();
    assertThat(things.read(OperationContext.begin(engine::now, pending), key))
        .isPresent()
        .isEqualTo(things.read(key));
    clock.advance(Duration.ofSeconds(10));
    assertThat(things.read(OperationContext.begin(engine::now, pending), key)).isEmpty();
  }

  @Test
  void renameKeepsDocumentsAndReplacesOnRequest() {
    LocalCollection things = engine.create(NAME, CollectionSpec.mongo());
    LocalCollection others = engine.create(OTHER, CollectionSpec.mongo());
    things.insert(thing(1, 1));
    others.insert(thing(2, 2));
    assertThat(reason(() -> engine.rename(NAME, OTHER, false))).isEqualTo(Reason.COLLECTION_EXISTS);
    assertThat(reason(() -> engine.rename(NAME, NAME, true))).isEqualTo(Reason.COLLECTION_EXISTS);
    engine.rename(NAME, OTHER, true);
    assertThat(engine.find(NAME)).isEmpty();
    assertThat(things.namespace()).isEqualTo(OTHER);
    assertThat(engine.collection(OTHER).read(key(1))).isPresent();
    assertThat(engine.collection(OTHER).read(key(2))).isEmpty();
    assertThat(reason(() -> others.insert(thing(3, 3)))).isEqualTo(Reason.CLOSED);
    things.write(List.of(new Write.Insert(thing(4, 4))), Grouping.ATOMIC, Durability.SYNCED);
    restart();
    assertThat(engine.namespaces()).containsExactly(OTHER);
    assertThat(engine.collection(OTHER).usage().documents()).isEqualTo(2);
    engine.workUntilIdle();
    assertThat(engine.collection(OTHER).usage().documents()).isEqualTo(2);
  }

  @Test
  void invalidSpecsAreRejectedWithAReason() {
    engine.create(NAME, CollectionSpec.mongo());
    CollectionSpec plain = CollectionSpec.mongo();
    assertThat(reason(() -> engine.create(NAME, plain))).isEqualTo(Reason.COLLECTION_EXISTS);
    assertThat(reason(() -> engine.collection(OTHER))).isEqualTo(Reason.NO_SUCH_COLLECTION);
    assertThat(reason(() -> engine.drop(OTHER))).isEqualTo(Reason.NO_SUCH_COLLECTION);
    assertThat(reason(() -> engine.rename(OTHER, NAME, true))).isEqualTo(Reason.NO_SUCH_COLLECTION);
    assertThat(reason(() -> plain.withShards(0))).isEqualTo(Reason.BAD_SPEC);
    assertThat(reason(() -> plain.withCap(-1, 0))).isEqualTo(Reason.BAD_SPEC);
    assertThat(reason(() -> plain.withCap(0, 5).withShards(2))).isEqualTo(Reason.BAD_SPEC);
    assertThat(reason(() -> plain.withThroughput(-1))).isEqualTo(Reason.BAD_SPEC);
    assertThat(reason(() -> plain.withDefaultTtl(0))).isEqualTo(Reason.BAD_SPEC);
    assertThat(reason(() -> plain.withDefaultTtl(-2))).isEqualTo(Reason.BAD_SPEC);
    assertThat(reason(() -> plain.withDefaultTtl(1L << 31))).isEqualTo(Reason.BAD_SPEC);
    assertThat(reason(() -> plain.withIndex(BY_N).withIndex(BY_N))).isEqualTo(Reason.BAD_SPEC);
    assertThat(reason(() -> plain.withTimeToLive(plain.timeToLive().withIndex("unknown", 5))))
        .isEqualTo(Reason.BAD_SPEC);
    assertThat(reason(() -> plain.withIndexing(IndexingMode.NONE).withDefaultTtl(5)))
        .isEqualTo(Reason.TTL_NEEDS_INDEXING);
    assertThat(reason(() -> plain.withDefaultTtl(5).withIndexing(IndexingMode.NONE)))
        .isEqualTo(Reason.TTL_NEEDS_INDEXING);
    assertThat(reason(() -> new Namespace("", "x"))).isEqualTo(Reason.BAD_SPEC);
  }

  @Test
  void fixedOptionsCannotBeAltered() {
    LocalCollection things = engine.create(NAME, CollectionSpec.cosmos("p").withThroughput(100));
    CollectionSpec before = things.spec();
    assertThat(reason(() -> things.alter(spec -> spec.withShards(2)))).isEqualTo(Reason.BAD_SPEC);
    assertThat(reason(() -> things.alter(spec -> CollectionSpec.cosmos("q"))))
        .isEqualTo(Reason.BAD_SPEC);
    assertThat(reason(() -> things.alter(spec -> CollectionSpec.mongo())))
        .isEqualTo(Reason.BAD_SPEC);
    assertThat(reason(() -> things.alter(spec -> spec.withCap(0, 5)))).isEqualTo(Reason.BAD_SPEC);
    assertThat(things.spec()).isEqualTo(before);
  }

  @Test
  void cappedCollectionKeepsTheNewestDocuments() {
    LocalCollection things =
        engine.create(NAME, CollectionSpec.mongo().withCap(0, 5).withIndex(BY_N));
    for (int i = 0; i < 20; i++) {
      things.insert(thing(i, i));
      assertThat(things.usage().documents()).isEqualTo(Math.min(i + 1, 5));
    }
    assertThat(ids(things)).containsExactly(15, 16, 17, 18, 19);
    things.write(new Write.Replace(thing(15, 99)));
    things.insert(thing(20, 20));
    assertThat(ids(things)).containsExactly(16, 17, 18, 19, 20);
    long caps =
        things.feeds().getFirst().read(0, 1000).stream()
            .filter(change -> change.cause() == Change.Cause.CAP)
            .count();
    assertThat(caps).isEqualTo(16);
    Audit.check(engine, things);
    reopen();
    engine.collection(NAME).insert(thing(21, 21));
    assertThat(ids(engine.collection(NAME))).containsExactly(17, 18, 19, 20, 21);
  }

  private void reopen() {
    engine.close();
    store = store.reopen();
    engine = LocalEngine.open(store, clock, settings);
  }

  @Test
  void capIsEnforcedWithinOneGroup() {
    LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withCap(0, 5));
    List<Write> group = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      group.add(new Write.Insert(thing(i, i)));
    }
    assertThat(things.write(group, Grouping.ATOMIC, Durability.LOGGED).complete()).isTrue();
    assertThat(ids(things)).containsExactly(7, 8, 9, 10, 11);
    Audit.check(engine, things);
  }

  @Test
  void capInBytesIsEnforced() {
    long size = thing(1, 1).length();
    LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withCap(size * 3 + 1, 0));
    for (int i = 0; i < 10; i++) {
      things.insert(thing(i, i));
    }
    assertThat(ids(things)).containsExactly(7, 8, 9);
    things.insert(Document.writer().put("_id", 10).put("big", "x".repeat(500)).build());
    assertThat(ids(things)).containsExactly(10);
    Audit.check(engine, things);
  }

  @Test
  void expiredDocumentsDoNotCountForTheCap() {
    LocalCollection things =
        engine.create(NAME, CollectionSpec.mongo().withCap(0, 5).withDefaultTtl(10));
    for (int i = 0; i < 4; i++) {
      things.insert(thing(i, i));
    }
    clock.advance(Duration.ofSeconds(9));
    things.insert(thing(4, 4));
    clock.advance(Duration.ofSeconds(1));
    for (int i = 5; i < 9; i++) {
      things.insert(thing(i, i));
    }
    assertThat(ids(things)).containsExactly(4, 5, 6, 7, 8);
    things.insert(thing(0, 100));
    assertThat(ids(things)).containsExactly(5, 6, 7, 8, 0);
    engine.workUntilIdle();
    Audit.check(engine, things);
  }

  @Test
  void reinsertedIdIsNotRemovedAsTheOldestDocument() {
    LocalCollection things =
        engine.create(NAME, CollectionSpec.mongo().withCap(0, 3).withDefaultTtl(10));
    things.insert(thing(1, 1));
    clock.advance(Duration.ofSeconds(10));
    engine.workUntilIdle();
    store.reclaim(things.owners().getFirst().shard().number(), dev.mayfly.store.Space.RECORDS);
    things.insert(thing(2, 2));
    things.insert(thing(3, 3));
    things.insert(thing(1, 4));
    things.insert(thing(4, 5));
    assertThat(ids(things)).containsExactly(3, 1, 4);
    Audit.check(engine, things);
  }

  @Test
  void hierarchicalPartitionKeyRoutesDocumentsAndQueries() {
    LocalCollection things =
        engine.create(NAME, CollectionSpec.cosmos("tenant", "user").withShards(4));
    for (int tenant = 0; tenant < 5; tenant++) {
      for (int user = 0; user < 4; user++) {
        for (int id = 0; id < 3; id++) {
          things.insert(placed("t" + tenant, "u" + user, "" + id));
        }
      }
    }
    DocumentKey key = new DocumentKey(List.of(Value.of("t1"), Value.of("u2")), Value.of("1"));
    assertThat(things.read(key)).isPresent();
    assertThat(things.count(Filter.equal(FieldPath.of("tenant"), Value.of("t1")))).isEqualTo(12);
    Filter both =
        Filter.and(
            List.of(
                Filter.equal(FieldPath.of("tenant"), Value.of("t1")),
                Filter.equal(FieldPath.of("user"), Value.of("u2"))));
    assertThat(things.count(both)).isEqualTo(3);
    assertThat(reason(() -> things.read(DocumentKey.of("t1", "1")))).isEqualTo(Reason.BAD_KEY);
    assertThat(reason(() -> things.insert(placed("t1", "u2", "1")))).isEqualTo(Reason.DUPLICATE_ID);
    things.insert(Document.writer().put("id", "1").build());
    assertThat(things.read(new DocumentKey(List.of(Value.MISSING, Value.MISSING), Value.of("1"))))
        .isPresent();
    assertThat(things.usage().documents()).isEqualTo(61);
    Audit.check(engine, things);
  }

  @Test
  void uniqueKeyAppliesPerPartitionToLiveDocuments() {
    IndexSpec mail =
        IndexSpec.explicit("mail", Part.ascending(FieldPath.of("mail"))).withUnique(true);
    LocalCollection users =
        engine.create(
            NAME, CollectionSpec.cosmos("tenant").withIndex(mail).withDefaultTtl(TimeToLive.NEVER));
    users.insert(user("a", "1", "x@", 5));
    users.insert(user("b", "1", "x@", 5));
    assertThat(reason(() -> users.insert(user("a", "2", "x@", 5)))).isEqualTo(Reason.DUPLICATE_KEY);
    clock.advance(Duration.ofSeconds(5));
    users.insert(user("a", "2", "x@", 50));
    assertThat(users.read(DocumentKey.of("a", "2"))).isPresent();
    assertThat(reason(() -> users.insert(user("a", "1", "x@", 5)))).isEqualTo(Reason.DUPLICATE_KEY);
    engine.workUntilIdle();
    Audit.check(engine, users);
    assertThat(reason(() -> users.insert(user("a", "3", "x@", 5)))).isEqualTo(Reason.DUPLICATE_KEY);
  }

  @Test
  void throttledRequestsGetStaggeredRetryTimes() {
    LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withThroughput(100));
    int done = 0;
    while (inserted(things, done)) {
      done++;
    }
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      waits.add(
          catchThrowableOfType(EngineException.class, () -> things.insert(thing(-1, 0))).number());
    }
    assertThat(waits).isSorted();
    assertThat(waits.get(5) - waits.get(0)).isBetween(200L, 300L);
    assertThat(waits.getLast()).isEqualTo(1001);
    clock.advance(Duration.ofMillis(waits.getFirst()));
    assertThat(inserted(things, -1)).as("who was sent away before").isTrue();
    assertThat(inserted(things, -2)).isTrue();
    assertThat(inserted(things, -3)).isFalse();
    clock.advance(Duration.ofSeconds(2));
    assertThat(inserted(things, -3)).isTrue();
  }

  @Test
  void throttledRequestSucceedsAfterItsRetryTime() {
    LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withThroughput(100));
    int done = 0;
    EngineException throttled = null;
    while (throttled == null) {
      try {
        things.insert(thing(done, done));
        done++;
      } catch (EngineException refused) {
        throttled = refused;
      }
    }
    assertThat(throttled.reason()).isEqualTo(Reason.THROTTLED);
    assertThat(done).isBetween(19, 22);
    assertThat(throttled.number()).isBetween(1L, 100L);
    clock.advance(Duration.ofMillis(throttled.number() - 1));
    clock.advance(Duration.ofMillis(1));
    things.insert(thing(done, done));
    clock.advance(Duration.ofSeconds(100));
    int again = 0;
    while (again < 1000 && inserted(things, 10_000 + again)) {
      again++;
    }
    assertThat(again).as("no more than a second is saved up").isBetween(19, 22);
  }

  private static boolean inserted(LocalCollection things, int id) {
    try {
      things.insert(thing(id, id));
      return true;
    } catch (EngineException throttled) {
      return false;
    }
  }

  @Test
  void newThroughputStartsWithAFullBudget() {
    LocalCollection things = engine.create(NAME, CollectionSpec.mongo());
    for (int i = 0; i < 1000; i++) {
      things.insert(thing(i, i));
    }
    things.alter(spec -> spec.withThroughput(50));
    assertThat(inserted(things, 5000)).isTrue();
  }

  @Test
  void queriesUseThroughput() {
    LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withThroughput(100));
    for (int i = 0; i < 10; i++) {
      things.insert(thing(i, i));
    }
    clock.advance(Duration.ofSeconds(1));
    int queries = 0;
    try {
      while (queries < 1000) {
        ids(things);
        queries++;
      }
    } catch (EngineException throttled) {
      assertThat(throttled.reason()).isEqualTo(Reason.THROTTLED);
    }
    assertThat(queries).isBetween(20, 50);
  }

  @Test
  void chargesMatchThePublishedFigures() {
    List<IndexSpec> ten = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      ten.add(IndexSpec.explicit("f" + i, Part.ascending(FieldPath.of("f" + i))));
    }
    LocalCollection things = engine.create(NAME, CollectionSpec.cosmos("p").withIndexes(ten));
    assertThat(charge(things, new Write.Insert(kilobyte(0, 0)))).isCloseTo(7, within(0.1));
    assertThat(charge(things, new Write.Replace(kilobyte(7, 7)))).isCloseTo(10.8, within(0.11));
    assertThat(charge(things, new Write.Delete(DocumentKey.of("p", "x"))))
        .isCloseTo(7, within(0.1));
    assertThat(charge(things, new Write.Delete(DocumentKey.of("p", "x"))))
        .isCloseTo(1.24, within(0.001));
    assertThat(Charge.read(1024)).isEqualTo(1.0);
    assertThat(Charge.read(2 * 1024)).isEqualTo(1.04);
    assertThat(Charge.read(64 * 1024)).isEqualTo(4.76);
    assertThat(Charge.read(1024 * 1024)).isCloseTo(145.9, within(0.001));
    assertThat(Charge.write(1024)).isEqualTo(4.95);
    assertThat(Charge.write(32 * 1024)).isEqualTo(11.23);
    assertThat(Charge.write(2048 * 1024)).isEqualTo(1250);
  }

  /** A document of 1 KB with ten indexed fields, of which the first two can be told apart. */
  private static Document kilobyte(int first, int second) {
    DocumentWriter writer = Document.writer().put("id", "x").put("p", "p");
    writer.put("f0", first).put("f1", second);
    for (int i = 2; i < 10; i++) {
      writer.put("f" + i, i);
    }
    return writer.put("rest", "y".repeat(870)).build();
  }

  private static double charge(LocalCollection things, Write write) {
    return things.write(List.of(write), Grouping.ATOMIC, Durability.LOGGED).charge();
  }

  private static Reason reason(ThrowingCallable action) {
    return catchThrowableOfType(EngineException.class, action).reason();
  }

  private static List<Integer> ids(LocalCollection things) {
    List<Integer> ids = new ArrayList<>();
    try (QueryCursor cursor =
        things.query(Query.of(Filter.all(), things.spec().dialect().mode()))) {
      while (cursor.next()) {
        ids.add(cursor.document().field("_id").asInt());
      }
    }
    return ids;
  }

  private static Document placed(String tenant, String user, String id) {
    return Document.writer().put("id", id).put("tenant", tenant).put("user", user).build();
  }

  private static Document user(String tenant, String id, String mail, int ttl) {
    return Document.writer()
        .put("id", id)
        .put("tenant", tenant)
        .put("mail", mail)
        .put("ttl", ttl)
        .build();
  }

  private static Document thing(int id, int n) {
    return Document.writer().put("_id", id).put("n", n).build();
  }

  private static DocumentKey key(int id) {
    return DocumentKey.of(Value.of(id));
  }
}
