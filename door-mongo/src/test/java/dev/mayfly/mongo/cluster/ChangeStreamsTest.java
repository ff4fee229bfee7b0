package dev.mayfly.mongo.cluster;

import static dev.mayfly.mongo.cluster.TwoDoors.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Change streams through another server than that of the cell. */
final class ChangeStreamsTest {
  private final TwoDoors doors = new TwoDoors();

  @AfterEach
  void close() {
    doors.close();
  }

  private MongoDatabase shop(int server) {
    return doors.client(server).getDatabase("shop");
  }

  private static int id(ChangeStreamDocument<Document> event) {
    BsonDocument key = event.getDocumentKey();
    return key == null ? -1 : key.getInt32("_id").getValue();
  }

  @Test
  void aStreamOnACollectionIsResumedAtTheOtherServer() {
    doors.place("shop", 1);
    MongoCollection<Document> writer = shop(0).getCollection("c");
    BsonDocument token;
    try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream =
        shop(0).getCollection("c").watch().cursor()) {
      writer.insertOne(new Document("_id", 1));
      writer.insertOne(new Document("_id", 2));
      assertThat(id(stream.next())).isEqualTo(1);
      token = stream.getResumeToken();
    }
    try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream =
        shop(1).getCollection("c").watch().resumeAfter(token).cursor()) {
      assertThat(id(stream.next())).isEqualTo(2);
    }
  }

  @Test
  void aStreamOnADatabaseContinuesAfterItsCellHasMoved() {
    doors.place("shop", 1);
    try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream =
        shop(0).watch().maxAwaitTime(100, TimeUnit.MILLISECONDS).cursor()) {
      shop(1).getCollection("c").insertOne(new Document("_id", 1));
      assertThat(id(stream.next())).isEqualTo(1);
      doors.move("shop", 0);
      shop(1).getCollection("d").insertOne(new Document("_id", 2));
      assertThat(id(stream.next())).isEqualTo(2);
    }
  }

  @Test
  void aStreamOnTheWholeClusterIsRefused() {
    assertFails(() -> doors.client(0).watch().cursor(), 115);
  }
}
