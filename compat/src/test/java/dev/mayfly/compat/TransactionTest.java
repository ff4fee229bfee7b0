package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sessions and transactions of the official Java driver. */
final class TransactionTest {
  @AutoClose private static final ServerProcess SERVER = ServerProcess.inMemory();
  @AutoClose private static final MongoClient CLIENT = SERVER.client();

  private static final Bson A = Filters.eq("_id", "a");
  private static final Bson B = Filters.eq("_id", "b");

  private final MongoCollection<Document> accounts =
      CLIENT.getDatabase("bank").getCollection("accounts");

  @BeforeEach
  void openAccounts() {
    accounts.drop();
    accounts.insertMany(
        List.of(Document.parse("{_id: 'a', n: 10}"), Document.parse("{_id: 'b', n: 0}")));
  }

  private int balance(Bson account) {
    return Objects.requireNonNull(accounts.find(account).first()).getInteger("n");
  }

  @Test
  void transactionBecomesVisibleAtomically() {
    try (ClientSession session = CLIENT.startSession()) {
      String result =
          session.withTransaction(
              () -> {
                accounts.updateOne(session, A, Updates.inc("n", -4));
                accounts.updateOne(session, B, Updates.inc("n", 4));
                assertThat(balance(B)).as("read outside the transaction").isZero();
                assertThat(accounts.find(session, B).first()).containsEntry("n", 4);
                return "done";
              });
      assertThat(result).isEqualTo("done");
    }
    assertThat(balance(A)).isEqualTo(6);
    assertThat(balance(B)).isEqualTo(4);
  }

  @Test
  void exceptionAbortsTheTransaction() {
    try (ClientSession session = CLIENT.startSession()) {
      assertThatThrownBy(
              () ->
                  session.withTransaction(
                      () -> {
                        accounts.updateOne(session, A, Updates.inc("n", -4));
                        throw new IllegalStateException("cancelled");
                      }))
          .hasMessage("cancelled");
    }
    assertThat(balance(A)).isEqualTo(10);
  }

  @Test
  void secondWriterGetsATransientWriteConflict() {
    try (ClientSession first = CLIENT.startSession();
        ClientSession second = CLIENT.startSession()) {
      first.startTransaction();
      second.startTransaction();
      accounts.updateOne(second, B, Updates.inc("n", 1));
      accounts.updateOne(first, A, Updates.inc("n", 1));
      assertThatThrownBy(() -> accounts.updateOne(second, A, Updates.inc("n", 100)))
          .isInstanceOfSatisfying(
              MongoException.class,
              conflict -> {
                assertThat(conflict.getCode()).isEqualTo(112);
                assertThat(conflict.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
                    .isTrue();
              });
      first.commitTransaction();
      second.abortTransaction();
    }
    assertThat(balance(A)).isEqualTo(11);
    assertThat(balance(B)).isZero();
  }

  @Test
  void driverRetriesUntilTheConflictIsResolved() {
    AtomicInteger attempts = new AtomicInteger();
    try (ClientSession other = CLIENT.startSession();
        ClientSession session = CLIENT.startSession()) {
      other.startTransaction();
      accounts.updateOne(other, A, Updates.inc("n", 1));
      session.withTransaction(
          () -> {
            if (attempts.incrementAndGet() == 2) {
              other.commitTransaction();
            }
            return accounts.updateOne(session, A, Updates.inc("n", 100));
          });
    }
    assertThat(attempts.get()).isGreaterThan(1);
    assertThat(balance(A)).isEqualTo(111);
  }

  @Test
  void snapshotSessionReadsFromOneSnapshot() {
    ClientSessionOptions snapshot = ClientSessionOptions.builder().snapshot(true).build();
    try (ClientSession session = CLIENT.startSession(snapshot)) {
      assertThat(accounts.find(session, A).first()).containsEntry("n", 10);
      accounts.updateOne(A, Updates.set("n", 1));
      accounts.updateOne(B, Updates.set("n", 1));
      assertThat(accounts.find(session, A).first()).containsEntry("n", 10);
      assertThat(accounts.find(session, B).first()).containsEntry("n", 0);
    }
    assertThat(balance(A)).isEqualTo(1);
    assertThat(balance(B)).isEqualTo(1);
  }

  @Test
  void transactionReadsFromOneSnapshot() {
    TransactionOptions options =
        TransactionOptions.builder().readConcern(ReadConcern.SNAPSHOT).build();
    try (ClientSession session = CLIENT.startSession()) {
      session.startTransaction(options);
      assertThat(accounts.find(session, A).first()).containsEntry("n", 10);
      accounts.updateOne(B, Updates.set("n", 1));
      assertThat(accounts.find(session, B).first()).containsEntry("n", 0);
      session.commitTransaction();
    }
    assertThat(balance(B)).isEqualTo(1);
  }
}
