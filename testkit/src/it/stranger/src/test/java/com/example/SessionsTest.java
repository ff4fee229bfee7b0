package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import dev.mayfly.testkit.MayflyExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

final class SessionsTest {
  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();

  @Test
  void embeddedDataSurvivesARestart(@TempDir Path directory) {
    try (Sessions sessions = new Sessions(directory)) {
      sessions.begin("ada");
    }
    try (Sessions sessions = new Sessions(directory)) {
      assertTrue(sessions.has("ada"));
      assertFalse(sessions.has("bob"));
    }
  }

  @Test
  void aTestMovesTheClock() {
    try (MongoClient client = MongoClients.create(mayfly.mongo())) {
      MongoCollection<Document> sessions = client.getDatabase("web").getCollection("sessions");
      sessions.createIndex(
          Indexes.ascending("at"), new IndexOptions().expireAfter(30L, TimeUnit.MINUTES));
      sessions.insertOne(new Document("at", Instant.ofEpochMilli(mayfly.clock().now())));

      mayfly.advance(Duration.ofMinutes(30).minusMillis(1));
      assertEquals(1, sessions.countDocuments());
      mayfly.advance(Duration.ofMillis(1));
      assertEquals(0, sessions.countDocuments());
    }
  }
}
