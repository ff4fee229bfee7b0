package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** TTL indexes through the official Java driver, on the system clock and on a test clock. */
final class ExpiryTest {
  private static final FindOneAndUpdateOptions UPSERT =
      new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER);

  /** Sets a field of a document to the server's time. */
  private static void stamp(MongoCollection<Document> collection, Object id) {
    Document stamped =
        collection.findOneAndUpdate(
            Filters.eq("_id", id), List.of(Document.parse("{$set: {at: '$$NOW'}}")), UPSERT);
    assertThat(stamped).containsKey("at");
  }

  private static MongoCollection<Document> sessions(MongoClient client, long seconds) {
    MongoCollection<Document> sessions = client.getDatabase("ttl").getCollection("sessions");
    sessions.createIndex(
        Indexes.ascending("at"), new IndexOptions().expireAfter(seconds, TimeUnit.SECONDS));
    return sessions;
  }

  private static Instant now(MongoClient client) {
    return client
        .getDatabase("admin")
        .runCommand(new Document("mayflyClock", 1))
        .getDate("now")
        .toInstant();
  }

  @Test
  void documentExpiresOnTheSystemClockAndIsCounted() {
    try (ServerProcess server = ServerProcess.inMemory();
        MongoClient client = server.client()) {
      MongoCollection<Document> sessions = sessions(client, 1);
      sessions.insertOne(new Document("_id", "stays"));
      try (MongoCursor<ChangeStreamDocument<Document>> stream = sessions.watch().cursor()) {
        stamp(sessions, "goes");
        Eventually.holds(
            "the document has expired",
            () -> sessions.find(Filters.eq("_id", "goes")).first() == null);
        assertThat(sessions.countDocuments()).isEqualTo(1);
        assertThat(stream.next().getOperationType()).isEqualTo(OperationType.INSERT);
        assertThat(stream.next().getOperationType()).isEqualTo(OperationType.DELETE);
      }
      Eventually.holds("the expiry is counted", () -> deleted(client) == 1);
    }
  }

  private static long deleted(MongoClient client) {
    Document status = client.getDatabase("admin").runCommand(new Document("serverStatus", 1));
    return status
        .getEmbedded(List.of("metrics", "ttl", "deletedDocuments"), Number.class)
        .longValue();
  }

  @Test
  void documentExpiresExactlyAtItsDeadline() {
    try (ServerProcess server = ServerProcess.inMemory("--test-clock");
        MongoClient client = server.client()) {
      MongoCollection<Document> sessions = sessions(client, 3600);
      stamp(sessions, 1);
      ServerProcess.advance(client, 3_599_999);
      assertThat(sessions.countDocuments()).isEqualTo(1);
      ServerProcess.advance(client, 1);
      assertThat(sessions.countDocuments()).isZero();
      assertThat(sessions.find(Filters.eq("_id", 1)).first()).isNull();
      sessions.insertOne(new Document("_id", 1));
      assertThat(sessions.countDocuments()).isEqualTo(1);
    }
  }

  @Test
  void theTestClockMovesToADateAndNotBack() {
    try (ServerProcess server = ServerProcess.inMemory("--test-clock");
        MongoClient client = server.client()) {
      Instant then = now(client).plus(Duration.ofDays(400));
      moveTo(client, then);
      assertThat(now(client)).isEqualTo(then);
      assertThatThrownBy(() -> moveTo(client, then.minusMillis(1)))
          .isInstanceOf(MongoCommandException.class)
          .hasMessageContaining("the clock can only be moved forward: it is " + then);
      assertThatThrownBy(() -> moveTo(client, "tomorrow"))
          .isInstanceOf(MongoCommandException.class)
          .hasMessageContaining("mayflyClock.to' is the wrong type 'string', expected type 'date'");
      assertThat(now(client)).isEqualTo(then);
    }
  }

  @Test
  void anOffsetClockGoesOnAfterItIsMoved() {
    try (ServerProcess server = ServerProcess.inMemory("--test-clock", "offset");
        MongoClient client = server.client()) {
      MongoCollection<Document> sessions = sessions(client, 3600);
      stamp(sessions, 1);
      moveTo(client, now(client).plus(Duration.ofMinutes(59)).plusSeconds(58));
      Eventually.holds("the document has expired", () -> sessions.countDocuments() == 0);
      ServerProcess.advance(client, Duration.ofDays(400).toMillis());
      Instant moved = now(client);
      Eventually.holds("the clock goes on", () -> now(client).isAfter(moved));
      Eventually.holds("the expiry is counted", () -> deleted(client) == 1);
    }
  }

  private static void moveTo(MongoClient client, Object date) {
    client.getDatabase("admin").runCommand(new Document("mayflyClock", 1).append("to", date));
  }

  @Test
  void collModReportsHowManyDocumentsItExpires() {
    try (ServerProcess server = ServerProcess.inMemory("--test-clock");
        MongoClient client = server.client()) {
      MongoDatabase database = client.getDatabase("ttl");
      MongoCollection<Document> sessions = sessions(client, 3600);
      Instant now = now(client);
      for (int minutes = 0; minutes < 10; minutes++) {
        Instant at = now.minus(Duration.ofMinutes(minutes));
        sessions.insertOne(new Document("_id", minutes).append("at", at));
      }
      Document changed =
          database.runCommand(
              Document.parse(
                  "{collMod: 'sessions', index: {name: 'at_1', expireAfterSeconds: 300}}"));
      assertThat(changed.get("expireAfterSeconds_old", Number.class).longValue()).isEqualTo(3600);
      assertThat(changed.get("expireAfterSeconds_new", Number.class).longValue()).isEqualTo(300);
      assertThat(changed.getEmbedded(List.of("mayfly", "expiredNow"), Number.class).longValue())
          .isEqualTo(5);
      assertThat(sessions.countDocuments()).isEqualTo(5);
      database.runCommand(
          Document.parse("{collMod: 'sessions', index: {name: 'at_1', expireAfterSeconds: 3600}}"));
      assertThat(sessions.countDocuments()).as("expired documents stay expired").isEqualTo(5);
    }
  }
}
