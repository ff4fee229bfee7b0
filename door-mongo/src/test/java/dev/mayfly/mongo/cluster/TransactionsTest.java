package dev.mayfly.mongo.cluster;

import static dev.mayfly.mongo.cluster.TwoDoors.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.mayfly.mongo.Shell;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactions on one of two servers. */
final class TransactionsTest {
  private static final String IN_TRANSACTION =
      "," + Shell.LSID + ",'txnNumber':{'$numberLong':'1'},'autocommit':false";

  private final TwoDoors doors = new TwoDoors();

  @BeforeEach
  void placeDatabases() {
    doors.place("zero", 0);
    doors.place("one", 1);
  }

  @AfterEach
  void close() {
    doors.close();
  }

  private static MongoCollection<Document> collection(MongoClient client, String database) {
    return client.getDatabase(database).getCollection("c");
  }

  @Test
  void aTransactionCommitsThroughTheServerThatTheClientIsPinnedTo() {
    MongoClient client = doors.both();
    try (ClientSession session = client.startSession()) {
      String done =
          session.withTransaction(
              () -> {
                collection(client, "one").insertOne(session, new Document("_id", 1));
                collection(client, "one").insertOne(session, new Document("_id", 2));
                assertThat(collection(client, "one").countDocuments(session)).isEqualTo(2);
                assertThat(collection(client, "one").countDocuments()).isZero();
                return "done";
              });
      assertThat(done).isEqualTo("done");
    }
    assertThat(collection(doors.client(0), "one").countDocuments()).isEqualTo(2);
    assertThat(collection(doors.client(1), "one").countDocuments()).isEqualTo(2);
  }

  @Test
  void aTransactionBeginsWithAReadOfADatabaseThatDoesNotExist() {
    MongoClient client = doors.client(0);
    try (ClientSession session = client.startSession()) {
      session.startTransaction();
      assertThat(collection(client, "fresh").find(session).first()).isNull();
      collection(client, "fresh").insertOne(session, new Document("_id", 1));
      session.commitTransaction();
    }
    assertThat(collection(doors.client(1), "fresh").countDocuments()).isEqualTo(1);
  }

  @Test
  void statementsAndCommitMayArriveThroughAnotherServer() {
    dev.mayfly.value.Document first =
        doors.raw(
            0,
            "one",
            "{'insert':'c','documents':[{'_id':1}],'startTransaction':true" + IN_TRANSACTION + "}");
    assertThat(first.field("ok").asDouble()).isEqualTo(1);
    dev.mayfly.value.Document second =
        doors.raw(1, "one", "{'insert':'c','documents':[{'_id':2}]" + IN_TRANSACTION + "}");
    assertThat(second.field("ok").asDouble()).isEqualTo(1);
    String token = Shell.text(first.field("recoveryToken"));
    assertThat(token).isEqualTo("{'cell':" + doors.cellOf("one") + "}");
    for (int time = 0; time < 2; time++) {
      dev.mayfly.value.Document committed =
          doors.raw(
              1, "admin", "{'commitTransaction':1,'recoveryToken':" + token + IN_TRANSACTION + "}");
      assertThat(committed.field("ok").asDouble()).describedAs(committed.toString()).isEqualTo(1);
    }
    assertThat(collection(doors.client(0), "one").countDocuments()).isEqualTo(2);
  }

  @Test
  void anUnknownTransactionIsNotCommitted() {
    dev.mayfly.value.Document reply =
        doors.raw(0, "admin", "{'commitTransaction':1" + IN_TRANSACTION + "}");
    assertThat(reply.field("code").asInt()).isEqualTo(251);
  }

  @Test
  void aTransactionAcrossCellsIsRefused() {
    MongoClient client = doors.client(0);
    try (ClientSession session = client.startSession()) {
      session.startTransaction();
      collection(client, "zero").insertOne(session, new Document("_id", 1));
      assertFails(() -> collection(client, "one").insertOne(session, new Document("_id", 1)), 263);
      session.abortTransaction();
    }
    assertThat(collection(client, "zero").countDocuments()).isZero();
    assertThat(collection(client, "one").countDocuments()).isZero();
  }

  @Test
  void aTransactionWhoseCellMovesIsRepeatedAsAWhole() {
    MongoClient client = doors.client(0);
    try (ClientSession session = client.startSession()) {
      session.startTransaction();
      collection(client, "one").insertOne(session, new Document("_id", 1));
      doors.move("one", 0);
      try {
        collection(client, "one").insertOne(session, new Document("_id", 2));
        throw new AssertionError("the transaction has survived the move");
      } catch (MongoException failure) {
        assertThat(failure.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
            .describedAs(failure.getMessage())
            .isTrue();
      }
      session.abortTransaction();
    }
    assertThat(collection(client, "one").countDocuments()).isZero();
  }
}
