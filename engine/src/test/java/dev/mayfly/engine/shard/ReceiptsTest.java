package dev.mayfly.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Retry;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import dev.mayfly.store.Store;
import dev.mayfly.value.Document;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Receipts of retryable writes: stored completely, cached within a limit. */
final class ReceiptsTest {
  private static final int SESSIONS = 5_000;

  private final Store store = MemoryStore.withFilters();
  private final Shard shard = store.own(1);

  private static ByteKey session(int number) {
    return ByteKey.of(ByteBuffer.allocate(16).putInt(number).array());
  }

  /** A reply like that of findAndModify, which contains a document. */
  private void write(Receipts receipts, int session, String reply, long now) {
    Document kept = Document.writer().put("value", reply).build();
    Retry retry = new Retry(session(session), 1, 0, _ -> kept);
    WriteOutcome done = new WriteOutcome.Deleted(Document.EMPTY);
    Batch batch = new Batch();
    Receipts.Receipt receipt =
        Receipts.put(batch, retry, Receipts.Receipt.NONE, List.of(done), now).orElseThrow();
    shard.commit(batch);
    receipts.cache(session(session), receipt);
  }

  private String reply(Receipts receipts, int session) {
    return receipts
        .find(session(session), 1, 0, 1, shard)
        .find(0)
        .map(outcome -> outcome.reply().field("value").asString())
        .orElse("");
  }

  @Test
  void cacheIsBounded() {
    Receipts receipts = new Receipts(shard);
    for (int i = 0; i < SESSIONS; i++) {
      write(receipts, i, "reply " + i, i);
      assertThat(receipts.bytes()).isLessThanOrEqualTo(Receipts.MAX_BYTES);
    }
    for (int i = 0; i < SESSIONS; i++) {
      assertThat(reply(receipts, i)).isEqualTo("reply " + i);
    }
  }

  @Test
  void largeReplyIsReadFromTheStore() {
    Receipts receipts = new Receipts(shard);
    String large = "x".repeat(1 << 20);
    write(receipts, 1, large, 1);
    assertThat(receipts.bytes()).isZero();
    assertThat(reply(receipts, 1)).isEqualTo(large);
    assertThat(receipts.bytes()).isZero();
  }

  /** Statements of a long bulk write of which every other one has no effect. */
  @Test
  void statementOfALongBulkWritesLittle() {
    Receipts receipts = new Receipts(shard);
    int statements = 20_000;
    for (int i = 0; i < statements; i++) {
      assertThat(write(receipts, i, i)).as("statement %s", i).isLessThan(1000);
      assertThat(receipts.bytes()).isLessThanOrEqualTo(Receipts.MAX_BYTES);
    }
    Receipts restarted = new Receipts(shard);
    for (int i = 0; i < statements; i++) {
      assertThat(find(restarted, i)).contains(done(i).justDone().orElseThrow());
    }
    assertThat(find(restarted, statements)).isEmpty();
    shard.commit(receipts.deleteIdle(statements, 10));
    assertThat(find(receipts, 0)).isEmpty();
    try (Scan left = shard.scan(Space.META, Range.all(), Direction.UP)) {
      assertThat(left.next()).isFalse();
    }
  }

  /** Writes one statement; returns how many bytes its receipt takes in the batch. */
  private int write(Receipts receipts, int statement, long now) {
    Receipts.Receipt known = receipts.find(session(1), 1, statement, 1, shard);
    assertThat(known.find(statement)).isEmpty();
    Retry retry = new Retry(session(1), 1, statement);
    Batch batch = new Batch();
    Receipts.Receipt noted =
        Receipts.put(batch, retry, known, List.of(done(statement)), now).orElseThrow();
    shard.commit(batch);
    receipts.cache(session(1), noted);
    return Math.toIntExact(batch.bytes());
  }

  private static WriteOutcome done(int statement) {
    StoredDocument document = new StoredDocument(Document.EMPTY, 1, 1, 1, 1);
    return statement % 2 == 0
        ? new WriteOutcome.Deleted(Document.EMPTY)
        : new WriteOutcome.Inserted(document);
  }

  private Optional<WriteOutcome.Done> find(Receipts receipts, int statement) {
    return receipts
        .find(session(1), 1, statement, 1, shard)
        .find(statement)
        .map(WriteOutcome.Repeated::done);
  }

  @Test
  void receiptsOfIdleSessionsAreDeleted() {
    Receipts receipts = new Receipts(shard);
    for (int i = 0; i < SESSIONS; i++) {
      write(receipts, i, "reply " + i, i);
    }
    int forgotten = 0;
    do {
      Batch batch = receipts.deleteIdle(SESSIONS / 2 - 1, 100);
      forgotten += batch.operations();
      shard.commit(batch);
    } while (receipts.searching());
    assertThat(forgotten).isEqualTo(SESSIONS / 2);
    assertThat(reply(receipts, 0)).isEmpty();
    assertThat(reply(receipts, SESSIONS / 2)).isNotEmpty();
    assertThat(receipts.deleteIdle(SESSIONS / 2, 100).isEmpty()).isTrue();
  }
}
