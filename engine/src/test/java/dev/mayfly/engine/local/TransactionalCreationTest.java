package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteResult;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Collections that a transaction creates. */
final class TransactionalCreationTest {
  private static final Namespace NEW = new Namespace("d", "new");
  private static final Namespace OTHER = new Namespace("d", "other");
  private static final CollectionSpec PLAIN = CollectionSpec.mongo().withShards(2);
  private static final IndexSpec UNIQUE =
      IndexSpec.implicit("n_1", Part.ascending(FieldPath.of("n"))).withUnique(true);

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

  private static Write insert(int id) {
    return new Write.Insert(document(id));
  }

  private static Document document(int id) {
    return Document.writer().put("_id", id).put("n", id).build();
  }

  private static void write(
      LocalTransaction transaction, LocalCollection collection, Write... writes) {
    WriteResult reply = transaction.write(collection, List.of(writes));
    assertThat(reply.complete()).as(reply.toString()).isTrue();
  }

  private static void assertRefused(Reason reason, ThrowingCallable work) {
    assertThatThrownBy(work)
        .isInstanceOfSatisfying(
            EngineException.class, failure -> assertThat(failure.reason()).isEqualTo(reason));
  }

  @Test
  void createdCollectionsAreVisibleAfterTheCommit() {
    try (LocalTransaction transaction = engine.begin()) {
      for (Namespace name : List.of(NEW, OTHER)) {
        LocalCollection collection = transaction.create(name, PLAIN);
        write(transaction, collection, insert(1), insert(2), insert(3));
        assertThat(transaction.count(collection, Filter.all())).isEqualTo(3);
        assertThat(transaction.created(name)).contains(collection);
      }
      assertThat(engine.namespaces()).isEmpty();
      transaction.commit(Durability.LOGGED);
    }
    assertThat(engine.namespaces()).containsExactly(NEW, OTHER);
    engine.collection(NEW).insert(document(4));
    assertThat(engine.collection(NEW).count(Filter.all())).isEqualTo(4);
    Audit.check(engine, engine.collection(NEW));
    restart();
    assertThat(engine.namespaces()).containsExactly(NEW, OTHER);
    assertThat(engine.collection(NEW).count(Filter.all())).isEqualTo(4);
    assertThat(engine.collection(OTHER).count(Filter.all())).isEqualTo(3);
  }

  @Test
  void abortDiscardsACreatedCollection() {
    LocalCollection aborted;
    try (LocalTransaction transaction = engine.begin()) {
      aborted = transaction.create(NEW, PLAIN);
      write(transaction, aborted, insert(1));
    }
    assertThat(engine.namespaces()).isEmpty();
    assertRefused(Reason.CLOSED, () -> aborted.insert(document(2)));
    assertThat(engine.create(NEW, PLAIN).count(Filter.all())).isZero();
    restart();
    assertThat(engine.collection(NEW).count(Filter.all())).isZero();
  }

  @Test
  void crashDiscardsACreatedCollection() {
    LocalTransaction killed = engine.begin();
    write(killed, killed.create(NEW, PLAIN), insert(1));
    restart();
    assertThat(engine.namespaces()).isEmpty();
    LocalCollection collection = engine.create(NEW, PLAIN);
    collection.insert(document(2));
    assertThat(collection.count(Filter.all())).isEqualTo(1);
  }

  @Test
  void firstCommitWinsForTheSameNewCollection() {
    try (LocalTransaction first = engine.begin();
        LocalTransaction second = engine.begin()) {
      write(first, first.create(NEW, PLAIN), insert(1));
      write(second, second.create(NEW, PLAIN), insert(2));
      second.commit(Durability.LOGGED);
      assertRefused(Reason.WRITE_CONFLICT, () -> first.commit(Durability.LOGGED));
    }
    LocalCollection collection = engine.collection(NEW);
    assertThat(collection.read(DocumentKey.of(Value.of(2)))).isPresent();
    assertThat(collection.count(Filter.all())).isEqualTo(1);
    restart();
    assertThat(engine.collection(NEW).count(Filter.all())).isEqualTo(1);
  }

  @Test
  void collectionCreatedOutsideIsAConflict() {
    try (LocalTransaction transaction = engine.begin()) {
      write(transaction, transaction.create(NEW, PLAIN), insert(1));
      engine.create(NEW, PLAIN);
      assertRefused(Reason.WRITE_CONFLICT, () -> transaction.commit(Durability.LOGGED));
    }
    assertThat(engine.collection(NEW).count(Filter.all())).isZero();
  }

  @Test
  void existingCollectionCannotBeCreated() {
    engine.create(NEW, PLAIN);
    try (LocalTransaction transaction = engine.begin()) {
      assertRefused(Reason.COLLECTION_EXISTS, () -> transaction.create(NEW, PLAIN));
      transaction.create(OTHER, PLAIN);
      assertRefused(Reason.COLLECTION_EXISTS, () -> transaction.create(OTHER, PLAIN));
    }
  }

  @Test
  void newCollectionCanBeAlteredBeforeItsFirstWrite() {
    try (LocalTransaction transaction = engine.begin()) {
      LocalCollection collection = transaction.create(NEW, PLAIN.withShards(1));
      assertThat(transaction.count(collection, Filter.all())).isZero();
      transaction.alter(collection, spec -> spec.withIndex(UNIQUE));
      write(transaction, collection, insert(1));
      assertRefused(
          Reason.NOT_SUPPORTED,
          () -> transaction.alter(collection, spec -> spec.withoutIndex("n_1")));
      transaction.commit(Durability.LOGGED);
    }
    LocalCollection collection = engine.collection(NEW);
    assertRefused(
        Reason.DUPLICATE_KEY,
        () -> collection.insert(Document.writer().put("_id", 2).put("n", 1).build()));
    Audit.check(engine, collection);
  }

  @Test
  void documentsOfANewCollectionExpire() {
    CollectionSpec expiring = PLAIN.withTimeToLive(TimeToLive.NONE.withDefault(10));
    try (LocalTransaction transaction = engine.begin()) {
      write(transaction, transaction.create(NEW, expiring), insert(1));
      transaction.commit(Durability.LOGGED);
    }
    LocalCollection collection = engine.collection(NEW);
    clock.advance(Duration.ofSeconds(9));
    assertThat(collection.count(Filter.all())).isEqualTo(1);
    clock.advance(Duration.ofSeconds(2));
    assertThat(collection.read(DocumentKey.of(Value.of(1)))).isEmpty();
    engine.workUntilIdle();
    Audit.check(engine, collection);
  }

  @Test
  void pauseAppliesToPreparedCollections() {
    CollectionSpec expiring = PLAIN.withTimeToLive(TimeToLive.NONE.withDefault(10));
    try (LocalTransaction transaction = engine.begin()) {
      write(transaction, transaction.create(NEW, expiring), insert(1));
      engine.pauseExpiry();
      transaction.commit(Durability.LOGGED);
    }
    clock.advance(Duration.ofSeconds(30));
    assertThat(engine.collection(NEW).count(Filter.all())).isEqualTo(1);
    engine.resumeExpiry();
    assertThat(engine.collection(NEW).count(Filter.all())).isZero();
  }
}
