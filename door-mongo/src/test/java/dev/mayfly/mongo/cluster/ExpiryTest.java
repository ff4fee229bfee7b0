package dev.mayfly.mongo.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDateTime;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Expired documents are absent at both servers from the same instant on. */
final class ExpiryTest {
  private final TwoDoors doors = new TwoDoors();

  @AfterEach
  void close() {
    doors.close();
  }

  private MongoCollection<Document> collection(int server) {
    return doors.client(server).getDatabase("shop").getCollection("c");
  }

  private void assertCount(int expected) {
    for (int server = 0; server < 2; server++) {
      assertThat(collection(server).countDocuments()).isEqualTo(expected);
      assertThat(collection(server).find()).hasSize(expected);
    }
  }

  @Test
  void bothServersSeeADocumentExpireAtOneInstant() {
    doors.place("shop", 1);
    collection(0)
        .createIndex(
            Indexes.ascending("at"), new IndexOptions().expireAfter(60L, TimeUnit.SECONDS));
    collection(0).insertOne(new Document("_id", 1).append("at", new BsonDateTime(TwoDoors.START)));
    collection(1)
        .insertOne(new Document("_id", 2).append("at", new BsonDateTime(TwoDoors.START + 30_000)));
    doors.clock.advance(Duration.ofMillis(59_999));
    assertCount(2);
    doors.clock.advance(Duration.ofMillis(1));
    assertCount(1);
    // a shorter time to live applies at once, whichever server has changed it
    doors.run(0, "shop", "{'collMod':'c','index':{'keyPattern':{'at':1},'expireAfterSeconds':20}}");
    assertCount(0);
    for (int server = 0; server < 2; server++) {
      List<Document> indexes = collection(server).listIndexes().into(new ArrayList<>());
      assertThat(indexes.get(1).get("expireAfterSeconds", Number.class).intValue()).isEqualTo(20);
    }
  }
}
