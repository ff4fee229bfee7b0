package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Change;
import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.engine.TransactionLimits;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.WriteResult;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LocalTransactionTest {
  private static final FieldPath ID = FieldPath.of("_id");
  private static final FieldPath BALANCE = FieldPath.of("balance");
  private static final Namespace ACCOUNTS = new Namespace("bank", "accounts");
  private static final Namespace JOURNAL = new Namespace("bank", "journal");
  private static final IndexSpec BY_BALANCE =
      IndexSpec.implicit("balance_1", Part.ascending(BALANCE));
  private static final IndexSpec BY_NAME =
      IndexSpec.implicit("name_1", Part.ascending(FieldPath.of("name")))
          .withUnique(true)
          .withSparse(true);
  private static final ByteKey SESSION = ByteKey.of(new byte[] {9});

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final EngineSettings settings =
      EngineSettings.standard(clock::now)
          .withBackground(false)
          .withTransactions(new TransactionLimits(60_000, 1 << 20, 0));
  private MemoryStore store = MemoryStore.withFilters();
  private LocalEngine engine = LocalEngine.open(store, clock, settings);
  private LocalCollection accounts =
      engine.create(
          ACCOUNTS, CollectionSpec.mongo().withShards(3).withIndex(BY_BALANCE).withFeed(images()));
  private LocalCollection journal =
      engine.create(JOURNAL, CollectionSpec.mongo().withIndex(BY_NAME).withFeed(images()));

  private static CollectionSpec.FeedSpec images() {
    return new CollectionSpec.FeedSpec(ChangeImageMode.BOTH, 1L << 40, 1L << 30);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private void restart(EngineSettings with) {
    engine.close();
    store = store.reopen();
    engine = LocalEngine.open(store, clock, with);
    accounts = engine.collection(ACCOUNTS);
    journal = engine.collection(JOURNAL);
  }

  private static Document account(int id, int balance) {
    return Document.writer().put("_id", id).put("balance", balance).build();
  }

  private static Document entry(int id, String name) {
    return Document.writer().put("_id", id).put("name", name).build();
  }

  private static DocumentKey key(int id) {
    return DocumentKey.of(Value.of(id));
  }

  private static Write set(int id, int balance) {
    return new Write.Update(key(id), _ -> account(id, balance));
  }

  private static Write add(int id, int amount) {
    return new Write.Update(
        key(id), before -> account(id, before.field("balance").asInt() + amount));
  }

  private static Query all() {
    return Query.of(Filter.all(), Mode.MATCH);
  }

  private static Query atLeast(int balance) {
    return Query.of(new Filter.Compare(BALANCE, Operator.GTE, Value.of(balance)), Mode.MATCH);
  }

  private void fill(int count) {
    for (int i = 0; i < count; i++) {
      accounts.insert(account(i, 100));
    }
  }

  private int balance(int id) {
    return accounts.read(key(id)).orElseThrow().document().at(BALANCE).asInt();
  }

  private int balance(LocalTransaction transaction, int id) {
    return transaction.read(accounts, key(id)).orElseThrow().document().at(BALANCE).asInt();
  }

  private static List<Integer> ids(QueryCursor cursor) {
    List<Integer> ids = new ArrayList<>();
    try (cursor) {
      while (cursor.next()) {
        ids.add(cursor.document().at(ID).asInt());
      }
    }
    return ids;
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

  // What it sees and what others see.

  @Test
  void writesAreVisibleToOthersAfterTheCommit() {
    fill(2);
    try (LocalTransaction transfer = engine.begin()) {
      write(transfer, accounts, add(0, -30), add(1, 30));
      write(transfer, journal, new Write.Insert(entry(1, "transfer")));
      assertThat(balance(transfer, 0)).isEqualTo(70);
      assertThat(balance(0)).isEqualTo(100);
      assertThat(journal.read(key(1))).isEmpty();
      assertThat(ids(accounts.query(atLeast(101)))).isEmpty();
      transfer.commit(Durability.SYNCED);
    }
    assertThat(balance(0)).isEqualTo(70);
    assertThat(balance(1)).isEqualTo(130);
    assertThat(journal.read(key(1))).isPresent();
    assertThat(ids(accounts.query(atLeast(101)))).containsExactly(1);
    Audit.check(engine, accounts);
    Audit.check(engine, journal);
  }

  @Test
  void abortedTransactionWritesNothing() {
    fill(1);
    long last = journal.feeds().getFirst().end();
    try (LocalTransaction transaction = engine.begin()) {
      write(transaction, accounts, add(0, -30));
      write(transaction, journal, new Write.Insert(entry(1, "x")));
    }
    assertThat(balance(0)).isEqualTo(100);
    assertThat(journal.usage()).isEqualTo(Usage.NONE);
    assertThat(journal.feeds().getFirst().end()).isEqualTo(last);
    accounts.write(add(0, 1));
    journal.insert(entry(1, "x"));
    Audit.check(engine, accounts);
    Audit.check(engine, journal);
  }

  @Test
  void readsAreRepeatableWithoutPhantoms() {
    fill(3);
    try (LocalTransaction reader = engine.begin()) {
      assertThat(balance(reader, 0)).isEqualTo(100);
      accounts.write(add(0, 50));
      accounts.write(new Write.Delete(key(1)));
      accounts.insert(account(7, 500));
      assertThat(balance(reader, 0)).isEqualTo(100);
      assertThat(reader.read(accounts, key(1))).isPresent();
      assertThat(reader.read(accounts, key(7))).isEmpty();
      assertThat(ids(reader.query(accounts, all()))).containsExactlyInAnyOrder(0, 1, 2);
      assertThat(ids(reader.query(accounts, atLeast(101)))).isEmpty();
      assertThat(reader.count(accounts, Filter.all())).isEqualTo(3);
    }
    assertThat(ids(accounts.query(atLeast(101)))).containsExactlyInAnyOrder(0, 7);
  }

  @Test
  void allCollectionsAreReadAtOneInstant() {
    fill(1);
    try (LocalTransaction reader = engine.begin()) {
      accounts.write(add(0, 50));
      journal.insert(entry(1, "late"));
      assertThat(balance(reader, 0)).isEqualTo(100);
      assertThat(reader.read(journal, key(1))).isEmpty();
    }
  }

  @Test
  void queriesReturnOwnWritesInOrderWithEveryPlan() {
    fill(6);
    try (LocalTransaction transaction = engine.begin()) {
      write(
          transaction,
          accounts,
          set(0, 300),
          set(1, 50),
          new Write.Delete(key(2)),
          new Write.Insert(account(10, 200)),
          new Write.Insert(account(11, 10)),
          new Write.Delete(key(11)));
      Query rich = atLeast(100).orderedBy(Sort.descending(BALANCE), Sort.ascending(ID));
      assertThat(ids(transaction.query(accounts, rich))).containsExactly(0, 10, 3, 4, 5);
      assertThat(ids(transaction.query(accounts, rich.skipping(1).limitedTo(2))))
          .containsExactly(10, 3);
      Query byId = Query.of(Filter.equal(ID, Value.of(10)), Mode.MATCH);
      assertThat(ids(transaction.query(accounts, byId))).containsExactly(10);
      Query gone = Query.of(Filter.equal(ID, Value.of(2)), Mode.MATCH);
      assertThat(ids(transaction.query(accounts, gone))).isEmpty();
      assertThat(ids(transaction.query(accounts, all())))
          .containsExactlyInAnyOrder(0, 1, 3, 4, 5, 10);
      transaction.commit(Durability.LOGGED);
      assertThat(ids(accounts.query(rich))).containsExactly(0, 10, 3, 4, 5);
    }
    Audit.check(engine, accounts);
  }

  @Test
  void ownWritesAreReturnedInKeyOrder() {
    try (LocalTransaction transaction = engine.begin()) {
      for (int i = 19; i >= 0; i--) {
        write(transaction, accounts, new Write.Insert(account(i, 1)));
      }
      List<Integer> within = ids(transaction.query(accounts, all()));
      transaction.commit(Durability.LOGGED);
      assertThat(ids(accounts.query(all()))).hasSize(20).isEqualTo(within);
    }
  }

  @Test
  void openCursorDoesNotReturnLaterWrites() {
    fill(5);
    try (LocalTransaction transaction = engine.begin()) {
      int seen = 0;
      try (QueryCursor cursor = transaction.query(accounts, atLeast(100))) {
        while (cursor.next()) {
          int id = cursor.document().at(ID).asInt();
          write(transaction, accounts, add(id, 50), new Write.Insert(account(100 + id, 500)));
          seen++;
        }
      }
      assertThat(seen).isEqualTo(5);
    }
  }

  // Conflicts.

  @Test
  void secondWriterOfADocumentFailsAtOnce() {
    fill(1);
    try (LocalTransaction first = engine.begin();
        LocalTransaction second = engine.begin()) {
      write(first, accounts, add(0, 10));
      assertRefused(Reason.WRITE_CONFLICT, () -> second.write(accounts, List.of(add(0, 20))));
      second.abort();
      first.commit(Durability.LOGGED);
    }
    assertThat(balance(0)).isEqualTo(110);
  }

  @Test
  void updatesAreNotLost() {
    fill(1);
    try (LocalTransaction first = engine.begin();
        LocalTransaction second = engine.begin()) {
      int seen = balance(second, 0);
      write(first, accounts, add(0, 10));
      first.commit(Durability.LOGGED);
      assertRefused(
          Reason.WRITE_CONFLICT, () -> second.write(accounts, List.of(set(0, seen + 20))));
    }
    assertThat(balance(0)).isEqualTo(110);
  }

  @Test
  void documentChangedSinceTheSnapshotIsAConflict() {
    fill(2);
    List<LocalTransaction> begun = List.of(engine.begin(), engine.begin(), engine.begin());
    accounts.write(add(0, 1));
    accounts.write(new Write.Delete(key(1)));
    accounts.insert(account(2, 1));
    List<Write> writes =
        List.of(add(0, 1), new Write.Delete(key(1)), new Write.Insert(account(2, 2)));
    for (int i = 0; i < begun.size(); i++) {
      LocalTransaction transaction = begun.get(i);
      List<Write> write = List.of(writes.get(i));
      assertRefused(Reason.WRITE_CONFLICT, () -> transaction.write(accounts, write));
      assertRefused(Reason.NO_SUCH_TRANSACTION, () -> transaction.write(accounts, write));
    }
  }

  @Test
  void writeSkewIsPossible() {
    fill(2);
    try (LocalTransaction first = engine.begin();
        LocalTransaction second = engine.begin()) {
      int inFirst = balance(first, 0) + balance(first, 1);
      int inSecond = balance(second, 0) + balance(second, 1);
      write(first, accounts, set(0, 100 - inFirst));
      write(second, accounts, set(1, 100 - inSecond));
      first.commit(Durability.LOGGED);
      second.commit(Durability.LOGGED);
    }
    assertThat(balance(0)).isEqualTo(-100);
    assertThat(balance(1)).isEqualTo(-100);
  }

  @Test
  void rejectionWithoutAConflictIsAnOutcome() {
    fill(1);
    try (LocalTransaction transaction = engine.begin()) {
      WriteResult reply =
          transaction.write(
              accounts, List.of(add(0, 1), new Write.Insert(account(0, 1)), add(0, 1)));
      assertThat(reply.outcomes().get(0)).isInstanceOf(WriteOutcome.Updated.class);
      assertThat(reply.outcomes().get(1))
          .isInstanceOfSatisfying(
              WriteOutcome.Failed.class,
              failed -> assertThat(failed.failure().reason()).isEqualTo(Reason.DUPLICATE_ID));
      assertThat(reply.outcomes().get(2)).isInstanceOf(WriteOutcome.Skipped.class);
    }
  }

  @Test
  void uniqueKeysOfATransactionAreLocked() {
    journal.insert(entry(1, "a"));
    try (LocalTransaction transaction = engine.begin()) {
      assertThat(
              ((WriteOutcome.Failed)
                      transaction
                          .write(journal, List.of(new Write.Insert(entry(2, "a"))))
                          .outcomes()
                          .getFirst())
                  .failure()
                  .reason())
          .isEqualTo(Reason.DUPLICATE_KEY);
      write(transaction, journal, new Write.Delete(key(1)), new Write.Insert(entry(2, "a")));
      write(transaction, journal, new Write.Insert(entry(3, "b")));
      assertRefused(Reason.WRITE_CONFLICT, () -> journal.insert(entry(4, "b")));
      assertRefused(Reason.WRITE_CONFLICT, () -> journal.insert(entry(4, "a")));
      try (LocalTransaction other = engine.begin()) {
        assertRefused(
            Reason.WRITE_CONFLICT,
            () -> other.write(journal, List.of(new Write.Insert(entry(4, "b")))));
      }
      transaction.commit(Durability.LOGGED);
    }
    assertRefused(Reason.DUPLICATE_KEY, () -> journal.insert(entry(4, "a")));
    Audit.check(engine, journal);
  }

  @Test
  void commitInsertsALockedDocumentThatHasExpired() {
    LocalCollection brief =
        engine.create(
            new Namespace("test", "brief"),
            CollectionSpec.mongo().withIndex(BY_NAME).withDefaultTtl(10).withFeed(images()));
    for (int i = 1; i <= 3; i++) {
      brief.insert(entry(i, "old " + i));
    }
    LocalTransaction transaction = engine.begin();
    transaction.write(
        brief,
        List.of(
            new Write.Update(key(1), _ -> entry(1, "half")),
            new Write.Update(key(1), _ -> entry(1, "new")),
            new Write.Delete(key(2)),
            new Write.Replace(entry(3, "other"))));
    clock.advance(Duration.ofSeconds(11));
    engine.workUntilIdle();
    assertThat(brief.read(key(1))).isEmpty();
    assertThat(brief.count(Filter.all())).isZero();
    transaction.commit(Durability.LOGGED);
    assertThat(brief.read(key(1)).orElseThrow().document()).isEqualTo(entry(1, "new"));
    assertThat(brief.read(key(3)).orElseThrow().document()).isEqualTo(entry(3, "other"));
    assertThat(brief.count(Filter.all())).isEqualTo(2);
    engine.workUntilIdle();
    assertThat(kinds(brief).subList(3, 9))
        .containsExactly(
            Change.Kind.EXPIRE,
            Change.Kind.INSERT,
            Change.Kind.UPDATE,
            Change.Kind.EXPIRE,
            Change.Kind.INSERT,
            Change.Kind.EXPIRE);
    Audit.check(engine, brief);
    clock.advance(Duration.ofSeconds(11));
    assertThat(brief.count(Filter.all())).isZero();
  }

  private static List<Change.Kind> kinds(LocalCollection collection) {
    return collection.feeds().getFirst().read(FeedReader.BEGINNING, 100).stream()
        .map(Change::kind)
        .toList();
  }

  @Test
  void uniqueKeyTakenSinceTheSnapshotIsAConflict() {
    try (LocalTransaction transaction = engine.begin()) {
      journal.insert(entry(1, "a"));
      assertRefused(
          Reason.WRITE_CONFLICT,
          () -> transaction.write(journal, List.of(new Write.Insert(entry(2, "a")))));
    }
  }

  @Test
  void collectionChangedSinceTheSnapshotIsAConflict() {
    fill(1);
    try (LocalTransaction transaction = engine.begin()) {
      write(transaction, accounts, add(0, 1));
      accounts.alter(spec -> spec.withThroughput(1e9));
      assertThat(balance(transaction, 0)).isEqualTo(101);
      assertRefused(Reason.WRITE_CONFLICT, () -> transaction.commit(Durability.LOGGED));
      assertRefused(Reason.NO_SUCH_TRANSACTION, () -> transaction.read(accounts, key(0)));
    }
    try (LocalTransaction transaction = engine.begin()) {
      journal.alter(spec -> spec.withThroughput(1e9));
      assertRefused(Reason.WRITE_CONFLICT, () -> transaction.read(journal, key(0)));
    }
    assertThat(balance(0)).isEqualTo(100);
  }

  // Others that meet it.

  @Test
  void plainWriteWaitsForATransaction() throws Exception {
    restart(settings.withTransactions(new TransactionLimits(60_000, 1 << 20, 60_000)));
    fill(1);
    CompletableFuture<WriteOutcome> outside = new CompletableFuture<>();
    CountDownLatch started = new CountDownLatch(1);
    try (LocalTransaction transaction = engine.begin()) {
      write(transaction, accounts, add(0, 10));
      Thread.ofVirtual()
          .start(
              () -> {
                started.countDown();
                outside.complete(accounts.write(add(0, 5)));
              });
      started.await();
      assertThat(outside).isNotDone();
      transaction.commit(Durability.LOGGED);
    }
    assertThat(outside.get(1, TimeUnit.MINUTES)).isInstanceOf(WriteOutcome.Updated.class);
    assertThat(balance(0)).isEqualTo(115);
  }

  @Test
  void withoutAWaitTimeItIsAConflict() {
    fill(1);
    try (LocalTransaction transaction = engine.begin()) {
      write(transaction, accounts, add(0, 10));
      assertRefused(Reason.WRITE_CONFLICT, () -> accounts.write(add(0, 5)));
      assertThat(balance(0)).isEqualTo(100);
    }
    accounts.write(add(0, 5));
    assertThat(balance(0)).isEqualTo(105);
  }

  @Test
  void otherWritesOfACallSucceedAfterALockTimeout() {
    restart(settings.withTransactions(new TransactionLimits(60_000, 1 << 20, 1)));
    LocalCollection alone = engine.create(new Namespace("bank", "alone"), CollectionSpec.mongo());
    alone.insert(account(0, 100));
    try (LocalTransaction transaction = engine.begin()) {
      transaction.write(alone, List.of(add(0, 10)));
      AtomicInteger others = new AtomicInteger(10);
      List<WriteOutcome> outcomes =
          alone
              .write(
                  OperationContext.begin(
                      engine::now, () -> alone.insert(account(others.incrementAndGet(), 100))),
                  List.of(new Write.Insert(account(1, 100)), add(0, 5)),
                  Grouping.UNORDERED,
                  Durability.LOGGED,
                  null)
              .outcomes();
      assertThat(others.get()).isGreaterThan(10);
      assertThat(outcomes.get(0)).isInstanceOf(WriteOutcome.Inserted.class);
      assertThat(outcomes.get(1)).isInstanceOf(WriteOutcome.Failed.class);
    }
    assertThat(alone.read(key(1))).isPresent();
    Audit.check(engine, alone);
  }

  // Time to live.

  @Test
  void expiredDocumentStaysReadableButNotWritable() {
    accounts.alter(spec -> spec.withDefaultTtl(10));
    fill(3);
    engine.workUntilIdle();
    try (LocalTransaction transaction = engine.begin();
        LocalTransaction late = engine.begin()) {
      write(transaction, accounts, add(1, 1));
      clock.advance(Duration.ofSeconds(20));
      assertThat(accounts.read(key(0))).isEmpty();
      engine.workUntilIdle();
      accounts.owners().forEach(owner -> store.reclaim(owner.shard().number(), Space.RECORDS));
      assertThat(transaction.read(accounts, key(0))).isPresent();
      assertThat(ids(transaction.query(accounts, all()))).containsExactlyInAnyOrder(0, 1, 2);
      assertRefused(Reason.WRITE_CONFLICT, () -> late.write(accounts, List.of(add(0, 1))));
      transaction.commit(Durability.LOGGED);
    }
    assertThat(balance(1)).isEqualTo(101);
    engine.workUntilIdle();
    assertThat(engine.sweepStats().documents()).isEqualTo(2);
    Audit.check(engine, accounts);
  }

  @Test
  void transactionCanReplaceAnExpiredDocument() {
    accounts.alter(spec -> spec.withDefaultTtl(10));
    fill(1);
    clock.advance(Duration.ofSeconds(20));
    try (LocalTransaction transaction = engine.begin()) {
      write(transaction, accounts, new Write.Insert(account(0, 7)));
      transaction.commit(Durability.LOGGED);
    }
    assertThat(balance(0)).isEqualTo(7);
    engine.workUntilIdle();
    Audit.check(engine, accounts);
  }

  // The feed.

  @Test
  void changesOfATransactionAreAdjacentWithItsId() {
    TransactionId id = new TransactionId(SESSION, 4);
    journal.insert(entry(0, "before"));
    try (LocalTransaction transaction = engine.begin(id)) {
      write(transaction, journal, new Write.Insert(entry(1, "a")));
      journal.insert(entry(9, "between"));
      write(
          transaction,
          journal,
          new Write.Update(key(1), _ -> entry(1, "b")),
          new Write.Delete(key(0)));
      transaction.commit(Durability.LOGGED);
    }
    journal.insert(entry(3, "after"));
    List<Change> changes = journal.feeds().getFirst().read(0, 100);
    assertThat(changes)
        .extracting(Change::transaction)
        .containsExactly(TransactionId.NONE, TransactionId.NONE, id, id, id, TransactionId.NONE);
    assertThat(changes.get(3).before()).isEqualTo(entry(1, "a"));
    assertThat(changes.get(3).cause()).isEqualTo(Change.Cause.WRITE);
    assertThat(changes.get(4).kind()).isEqualTo(Change.Kind.DELETE);
  }

  @Test
  void transactionWithoutAnIdGetsOne() {
    try (LocalTransaction transaction = engine.begin()) {
      write(transaction, journal, new Write.Insert(entry(1, "a")));
      write(transaction, accounts, new Write.Insert(account(1, 1)));
      transaction.commit(Durability.LOGGED);
    }
    TransactionId name = journal.feeds().getFirst().read(0, 9).getFirst().transaction();
    assertThat(name).isNotEqualTo(TransactionId.NONE);
    assertThat(
            accounts.feeds().stream()
                .flatMap(feed -> feed.read(0, 9).stream())
                .map(Change::transaction))
        .containsExactly(name);
  }

  // Its end.

  @Test
  void receiptOfACommitSurvivesARestart() {
    TransactionId id = new TransactionId(SESSION, 4);
    try (LocalTransaction transaction = engine.begin(id)) {
      write(transaction, journal, new Write.Insert(entry(1, "a")));
      assertThat(engine.committed(id)).isFalse();
      transaction.commit(Durability.LOGGED);
    }
    assertThat(engine.committed(id)).isTrue();
    restart(settings);
    assertThat(engine.committed(id)).isTrue();
    assertThat(engine.committed(new TransactionId(SESSION, 5))).isFalse();
    assertRefused(
        Reason.TRANSACTION_TOO_OLD, () -> engine.committed(new TransactionId(SESSION, 3)));
    clock.advance(Duration.ofMinutes(30));
    engine.workUntilIdle();
    assertThat(engine.committed(id)).isFalse();
    restart(settings);
    assertThat(engine.committed(id)).isFalse();
  }

  @Test
  void transactionIsAbortedAfterItsLifetime() {
    fill(1);
    LocalTransaction idle = engine.begin();
    write(idle, accounts, add(0, 1));
    clock.advance(Duration.ofSeconds(59));
    engine.work();
    assertRefused(Reason.WRITE_CONFLICT, () -> accounts.write(add(0, 5)));
    clock.advance(Duration.ofSeconds(1));
    engine.work();
    accounts.write(add(0, 5));
    assertRefused(Reason.NO_SUCH_TRANSACTION, () -> idle.commit(Durability.LOGGED));
    assertThat(balance(0)).isEqualTo(105);
  }

  @Test
  void tooLargeTransactionFails() {
    try (LocalTransaction transaction = engine.begin()) {
      String much = "x".repeat(400_000);
      Document large = Document.writer().put("_id", 1).put("text", much).build();
      Document larger = Document.writer().put("_id", 2).put("text", much).build();
      write(transaction, accounts, new Write.Insert(large));
      assertRefused(
          Reason.TRANSACTION_TOO_LARGE,
          () -> transaction.write(accounts, List.of(new Write.Insert(larger))));
    }
  }

  @Test
  void storeWithoutSnapshotsHasNoTransactions() {
    try (LocalEngine plain = LocalEngine.open(MemoryStore.withoutSnapshots(), clock, settings)) {
      assertRefused(Reason.NOT_SUPPORTED, plain::begin);
    }
  }

  @Test
  void transactionSurvivesAPowerFailureAtomically() {
    fill(2);
    try (LocalTransaction transaction = engine.begin()) {
      write(transaction, accounts, add(0, -10), add(1, 10));
      write(transaction, journal, new Write.Insert(entry(1, "a")));
      transaction.commit(Durability.SYNCED);
    }
    engine.close();
    store = store.powerLoss();
    engine = LocalEngine.open(store, clock, settings);
    accounts = engine.collection(ACCOUNTS);
    assertThat(engine.collection(JOURNAL).read(key(1))).isPresent();
    assertThat(balance(0)).isEqualTo(90);
    assertThat(balance(1)).isEqualTo(110);
  }
}
