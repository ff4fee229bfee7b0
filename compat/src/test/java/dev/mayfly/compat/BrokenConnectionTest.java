package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.OperationType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Broken connections and restarted servers, with the official Java driver. */
final class BrokenConnectionTest {
  @TempDir private Path data;

  private static MongoCollection<Document> things(MongoClient client) {
    return client.getDatabase("wire").getCollection("things");
  }

  @Test
  void writeWithALostReplyIsExecutedOnce() {
    try (ServerProcess server = ServerProcess.inMemory();
        ReplyCuttingProxy proxy = new ReplyCuttingProxy(server);
        MongoClient client = MongoClients.create(proxy.uri())) {
      MongoCollection<Document> things = things(client);
      things.insertOne(Document.parse("{_id: 0, n: 0}"));

      proxy.cutReplyOf("insert");
      things.insertOne(new Document("name", "once"));
      assertThat(proxy.cuts()).isEqualTo(1);
      assertThat(things.countDocuments(Filters.eq("name", "once"))).isEqualTo(1);

      proxy.cutReplyOf("update");
      assertThat(things.updateOne(Filters.eq("_id", 0), Updates.inc("n", 1)).getModifiedCount())
          .isEqualTo(1);
      assertThat(proxy.cuts()).isEqualTo(2);

      proxy.cutReplyOf("findAndModify");
      Document after =
          things.findOneAndUpdate(
              Filters.eq("_id", 0),
              Updates.inc("n", 1),
              new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER));
      assertThat(after).containsEntry("n", 2);
      assertThat(proxy.cuts()).isEqualTo(3);
      assertThat(things.find(Filters.eq("_id", 0)).first()).containsEntry("n", 2);
    }
  }

  @Test
  void readWithALostReplyIsRetried() {
    try (ServerProcess server = ServerProcess.inMemory();
        ReplyCuttingProxy proxy = new ReplyCuttingProxy(server);
        MongoClient client = MongoClients.create(proxy.uri())) {
      things(client).insertOne(new Document("_id", 1));
      proxy.cutReplyOf("find");
      assertThat(things(client).find().into(new ArrayList<>())).hasSize(1);
      assertThat(proxy.cuts()).isEqualTo(1);
    }
  }

  @Test
  void changeStreamResumesByTokenAfterARestart() {
    BsonDocument token;
    try (ServerProcess server = ServerProcess.on(data);
        MongoClient client = server.client();
        MongoCursor<ChangeStreamDocument<Document>> stream = things(client).watch().cursor()) {
      things(client).insertOne(new Document("_id", 1));
      token = stream.next().getResumeToken();
      things(client).insertOne(new Document("_id", 2));
    }
    try (ServerProcess server = ServerProcess.on(data);
        MongoClient client = server.client()) {
      things(client).updateOne(Filters.eq("_id", 1), Updates.set("n", 1));
      try (MongoCursor<ChangeStreamDocument<Document>> stream =
          things(client).watch().resumeAfter(token).cursor()) {
        ChangeStreamDocument<Document> missed = stream.next();
        assertThat(missed.getOperationType()).isEqualTo(OperationType.INSERT);
        assertThat(missed.getFullDocument()).isEqualTo(new Document("_id", 2));
        assertThat(stream.next().getOperationType()).isEqualTo(OperationType.UPDATE);
      }
    }
  }

  @Test
  void openChangeStreamResumesAutomaticallyAfterARestart() {
    ServerProcess first = ServerProcess.on(data);
    try (ReplyCuttingProxy proxy = new ReplyCuttingProxy(first);
        MongoClient client = MongoClients.create(proxy.uri());
        MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream =
            things(client).watch().cursor()) {
      things(client).insertOne(new Document("_id", 1));
      assertThat(ids(stream, 1)).containsExactly(1);
      things(client).insertOne(new Document("_id", 2));
      first.close();
      try (ServerProcess second = ServerProcess.on(data)) {
        proxy.forwardTo(second);
        things(client).insertOne(new Document("_id", 3));
        assertThat(ids(stream, 2)).containsExactly(2, 3);
      }
    } finally {
      first.close();
    }
  }

  private static List<Integer> ids(
      MongoCursor<ChangeStreamDocument<Document>> stream, int expected) {
    List<Integer> ids = new ArrayList<>();
    for (int i = 0; i < expected; i++) {
      BsonDocument key = Objects.requireNonNull(stream.next().getDocumentKey());
      ids.add(key.getInt32("_id").getValue());
    }
    return ids;
  }
}
