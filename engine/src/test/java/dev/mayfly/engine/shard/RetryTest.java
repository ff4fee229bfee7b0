package dev.mayfly.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Retry;
import dev.mayfly.engine.UpdateFunction;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.WriteOutcome.Done;
import dev.mayfly.engine.WriteOutcome.Repeated;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Retryable writes: a write that is sent again is done once. */
final class RetryTest {
  private static final Namespace NAME = new Namespace("test", "accounts");
  private static final ByteKey SESSION = ByteKey.of(new byte[] {1, 2, 3});
  private static final ByteKey OTHER = ByteKey.of(new byte[] {1, 2});

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);
  private MemoryStore store = new MemoryStore();
  private LocalEngine engine = LocalEngine.open(store, clock, settings);
  private LocalCollection accounts = engine.create(NAME, CollectionSpec.mongo());

  @AfterEach
  void close() {
    engine.close();
  }

  private void restart() {
    engine.close();
    store = store.reopen();
    engine = LocalEngine.open(store, clock, settings);
    accounts = engine.collection(NAME);
  }

  private static Document account(int id, int balance) {
    return Document.writer().put("_id", id).put("balance", balance).build();
  }

  private static DocumentKey key(int id) {
    return DocumentKey.of(Value.of(id));
  }

  private int balance(int id) {
    return accounts.read(key(id)).orElseThrow().document().at(FieldPath.of("balance")).asInt();
  }

  private static Write deposit(int id, int amount) {
    UpdateFunction change = before -> account(id, before.field("balance").asInt() + amount);
    return new Write.Update(key(id), change);
  }

  private List<WriteOutcome> send(Retry retry, Write... writes) {
    return accounts.write(List.of(writes), Grouping.ORDERED, Durability.LOGGED, retry).outcomes();
  }

  private static Retry retry(long number) {
    return new Retry(SESSION, number, 0);
  }

  @Test
  void retriedWriteIsDoneOnce() {
    accounts.insert(account(1, 100));
    assertThat(send(retry(1), deposit(1, 10)).getFirst()).isInstanceOf(WriteOutcome.Updated.class);
    assertThat(send(retry(1), deposit(1, 10)))
        .containsExactly(new Repeated(Done.UPDATED, Document.EMPTY));
    assertThat(balance(1)).isEqualTo(110);
    send(retry(2), deposit(1, 10));
    assertThat(balance(1)).isEqualTo(120);
  }

  @Test
  void retriedWriteIsDoneOnceAfterARestart() {
    accounts.insert(account(1, 100));
    send(retry(1), deposit(1, 10));
    restart();
    assertThat(send(retry(1), deposit(1, 10)))
        .containsExactly(new Repeated(Done.UPDATED, Document.EMPTY));
    assertThat(balance(1)).isEqualTo(110);
  }

  @Test
  void everyStatementHasItsOwnReceipt() {
    send(retry(1), new Write.Insert(account(1, 1)), new Write.Insert(account(2, 2)));
    Write[] all = {
      new Write.Insert(account(1, 1)),
      new Write.Insert(account(2, 2)),
      new Write.Insert(account(3, 3)),
    };
    List<WriteOutcome> outcomes = send(retry(1), all);
    assertThat(outcomes.subList(0, 2)).containsOnly(new Repeated(Done.INSERTED, Document.EMPTY));
    assertThat(outcomes.get(2)).isInstanceOf(WriteOutcome.Inserted.class);
    restart();
    assertThat(send(retry(1), all)).containsOnly(new Repeated(Done.INSERTED, Document.EMPTY));
    assertThat(accounts.usage().documents()).isEqualTo(3);
  }

  @Test
  void retryOfMixedWritesReturnsTheirOutcomes() {
    List<Write> writes =
        List.of(
            new Write.Insert(account(1, 1)),
            deposit(9, 10),
            new Write.Insert(account(2, 2)),
            deposit(1, 10),
            new Write.Delete(key(2)));
    Retry retry = new Retry(SESSION, 1, 5);
    accounts.write(writes, Grouping.UNORDERED, Durability.LOGGED, retry);
    restart();
    List<WriteOutcome> again =
        accounts.write(writes, Grouping.UNORDERED, Durability.LOGGED, retry).outcomes();
    assertThat(again.get(0)).isEqualTo(new Repeated(Done.INSERTED, Document.EMPTY));
    assertThat(again.get(1)).isInstanceOf(WriteOutcome.Failed.class);
    assertThat(again.get(2)).isEqualTo(new Repeated(Done.INSERTED, Document.EMPTY));
    assertThat(again.get(3)).isEqualTo(new Repeated(Done.UPDATED, Document.EMPTY));
    assertThat(again.get(4)).isEqualTo(new Repeated(Done.DELETED, Document.EMPTY));
    assertThat(balance(1)).isEqualTo(11);
    assertThat(accounts.receipt(SESSION, 1, 4)).isEmpty();
  }

  @Test
  void failedWriteIsTriedAgain() {
    WriteOutcome refused = send(retry(1), deposit(1, 10)).getFirst();
    assertThat(refused).isInstanceOf(WriteOutcome.Failed.class);
    accounts.insert(account(1, 100));
    assertThat(send(retry(1), deposit(1, 10)).getFirst()).isInstanceOf(WriteOutcome.Updated.class);
  }

  @Test
  void retryOfAWriteWithoutEffectHasNoEffect() {
    accounts.insert(account(1, 100));
    Write close = new Write.Update(key(1), _ -> account(1, 100));
    assertThat(send(retry(1), close).getFirst()).isInstanceOf(WriteOutcome.Unchanged.class);
    accounts.write(deposit(1, 10));
    assertThat(send(retry(1), close)).containsExactly(new Repeated(Done.UNCHANGED, Document.EMPTY));
    assertThat(balance(1)).isEqualTo(110);
  }

  @Test
  void retryReturnsTheReplyOfTheCaller() {
    accounts.insert(account(1, 100));
    Retry retry =
        new Retry(
            SESSION,
            1,
            0,
            outcome ->
                outcome instanceof WriteOutcome.Updated(Document before, _)
                    ? before
                    : Document.EMPTY);
    send(retry, deposit(1, 10));
    restart();
    assertThat(send(retry, deposit(1, 10)))
        .containsExactly(new Repeated(Done.UPDATED, account(1, 100)));
    assertThat(accounts.receipt(SESSION, 1, 0))
        .contains(new Repeated(Done.UPDATED, account(1, 100)));
    assertThat(accounts.receipt(SESSION, 1, 1)).isEmpty();
    assertThat(accounts.receipt(OTHER, 1, 0)).isEmpty();
  }

  @Test
  void earlierNumberOfASessionIsRejected() {
    accounts.insert(account(1, 100));
    send(retry(7), deposit(1, 10));
    assertThatThrownBy(() -> send(retry(6), deposit(1, 10)))
        .isInstanceOfSatisfying(
            EngineException.class,
            failure -> {
              assertThat(failure.reason()).isEqualTo(Reason.TRANSACTION_TOO_OLD);
              assertThat(failure.number()).isEqualTo(7);
            });
    assertThat(accounts.receipt(SESSION, 8, 0)).isEmpty();
    assertThat(balance(1)).isEqualTo(110);
  }

  @Test
  void sessionsAreIndependent() {
    accounts.insert(account(1, 100));
    send(new Retry(SESSION, 1, 0), deposit(1, 10));
    send(new Retry(OTHER, 1, 0), deposit(1, 10));
    assertThat(balance(1)).isEqualTo(120);
  }

  @Test
  void receiptsOfAnIdleSessionAreDeleted() {
    accounts.insert(account(1, 100));
    send(new Retry(SESSION, 1, 0), deposit(1, 10));
    clock.advance(Duration.ofMinutes(20));
    send(new Retry(OTHER, 1, 0), deposit(1, 10));
    clock.advance(Duration.ofMinutes(10));
    engine.workUntilIdle();
    assertThat(accounts.receipt(SESSION, 1, 0)).isEmpty();
    assertThat(accounts.receipt(OTHER, 1, 0)).isPresent();
    restart();
    assertThat(accounts.receipt(SESSION, 1, 0)).isEmpty();
    assertThat(accounts.receipt(OTHER, 1, 0)).isPresent();
  }

  @Test
  void receiptsOfAnIdleSessionAreDeletedAfterARestart() {
    accounts.insert(account(1, 100));
    send(new Retry(SESSION, 1, 0), deposit(1, 10));
    clock.advance(Duration.ofMinutes(20));
    send(new Retry(OTHER, 1, 0), deposit(1, 10));
    clock.advance(Duration.ofMinutes(10));
    restart();
    engine.workUntilIdle();
    assertThat(accounts.receipt(SESSION, 1, 0)).isEmpty();
    assertThat(accounts.receipt(OTHER, 1, 0)).isPresent();
  }

  @Test
  void longGroupHasAShortReceipt() {
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      writes.add(new Write.Insert(account(i, i)));
    }
    accounts.write(writes, Grouping.UNORDERED, Durability.LOGGED, retry(1));
    byte[] receipt =
        accounts
            .owners()
            .getFirst()
            .shard()
            .read(dev.mayfly.store.Space.META, Layout.receipt(SESSION));
    assertThat(receipt).hasSizeLessThan(20);
    assertThat(accounts.receipt(SESSION, 1, 9_999)).isPresent();
    assertThat(accounts.receipt(SESSION, 1, 10_000)).isEmpty();
  }

  @Test
  void receiptsWorkWithSeveralShards() {
    Namespace name = new Namespace("test", "spread");
    LocalCollection spread = engine.create(name, CollectionSpec.mongo().withShards(4));
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      writes.add(new Write.Insert(account(i, i)));
    }
    spread.write(writes, Grouping.UNORDERED, Durability.LOGGED, retry(1));
    assertThat(spread.write(writes, Grouping.UNORDERED, Durability.LOGGED, retry(1)).outcomes())
        .containsOnly(new Repeated(Done.INSERTED, Document.EMPTY));
    for (int i = 0; i < 20; i++) {
      assertThat(spread.receipt(SESSION, 1, i)).isPresent();
    }
  }
}
