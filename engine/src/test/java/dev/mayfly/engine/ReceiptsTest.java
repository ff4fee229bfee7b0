package dev.mayfly.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.store.Batch;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Store;
import dev.mayfly.value.Document;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is kept of retryable writes: all of it in the store, a little in memory. */
final class ReceiptsTest {
  private static final int SESSIONS = 5_000;

  private final Store store = MemoryStore.withFilters();
  private final Shard shard = store.own(1);

  private static Bytes session(int number) {
    return Bytes.of(ByteBuffer.allocate(16).putInt(number).array());
  }

  /** As findAndModify keeps the document that it returns. */
  private void write(Receipts receipts, int session, String reply, long now) {
    Document kept = Document.writer().put("value", reply).build();
    Retry retry = new Retry(session(session), 1, 0, _ -> kept);
    Outcome done = new Outcome.Deleted(Document.EMPTY);
    Batch batch = new Batch();
    Receipts.Chain chain =
        Receipts.note(batch, retry, Optional.empty(), List.of(done), now).orElseThrow();
    shard.commit(batch);
    receipts.keep(session(session), chain);
  }

  private static String reply(Receipts receipts, int session) {
    return receipts
        .find(session(session), 1)
        .flatMap(chain -> chain.find(0))
        .map(outcome -> outcome.reply().field("value").asString())
        .orElse("");
  }

  @Test
  void manySessionsTakeABoundedPartOfTheHeap() {
    Receipts receipts = new Receipts(shard);
    for (int i = 0; i < SESSIONS; i++) {
      write(receipts, i, "reply " + i, i);
      assertThat(receipts.bytes()).isLessThanOrEqualTo(Receipts.MOST_BYTES);
    }
    for (int i = 0; i < SESSIONS; i++) {
      assertThat(reply(receipts, i)).isEqualTo("reply " + i);
    }
  }

  @Test
  void aLargeReplyIsReadFromTheStore() {
    Receipts receipts = new Receipts(shard);
    String large = "x".repeat(1 << 20);
    write(receipts, 1, large, 1);
    assertThat(receipts.bytes()).isZero();
    assertThat(reply(receipts, 1)).isEqualTo(large);
    assertThat(receipts.bytes()).isZero();
  }

  @Test
  void idleSessionsAreForgottenWhetherInMemoryOrNot() {
    Receipts receipts = new Receipts(shard);
    for (int i = 0; i < SESSIONS; i++) {
      write(receipts, i, "reply " + i, i);
    }
    int forgotten = 0;
    do {
      Batch batch = receipts.forgetIdle(SESSIONS / 2 - 1, 100);
      forgotten += batch.operations();
      shard.commit(batch);
    } while (receipts.searching());
    assertThat(forgotten).isEqualTo(SESSIONS / 2);
    assertThat(reply(receipts, 0)).isEmpty();
    assertThat(reply(receipts, SESSIONS / 2)).isNotEmpty();
    assertThat(receipts.forgetIdle(SESSIONS / 2, 100).isEmpty()).isTrue();
  }
}
