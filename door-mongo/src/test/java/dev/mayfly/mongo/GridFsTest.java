package dev.mayfly.mongo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoGridFSException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.gridfs.GridFSBucket;
import com.mongodb.client.gridfs.GridFSBuckets;
import com.mongodb.client.gridfs.model.GridFSUploadOptions;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** GridFS of the Java driver: chunks expire together with their file. */
final class GridFsTest {
  private static final int CHUNK_BYTES = 1000;

  private final AtomicLong nanos = new AtomicLong();
  private final ManualClock clock = new ManualClock(1_700_000_000_123L);
  private final MemoryStore store = MemoryStore.withFilters();
  private final Engine engine =
      LocalEngine.open(store, clock, EngineSettings.standard(nanos::get).withBackground(false));
  private final MongoDoor door =
      MongoDoor.open(engine, MongoSettings.standard(nanos::get).withAddress("127.0.0.1", 0));
  private final MongoClient client =
      MongoClients.create(door.connectionString() + "&serverSelectionTimeoutMS=5000");
  private final MongoDatabase database = client.getDatabase("d");
  private final GridFSBucket bucket = GridFSBuckets.create(database);

  @BeforeEach
  void declare() {
    run("{create: 'fs.files'}");
    run(
        "{createIndexes: 'fs.files', indexes: [{key: {'metadata.expireAt': 1}, name: 'expireAt',"
            + " expireAfterSeconds: 0}]}");
    run(
        "{createIndexes: 'fs.chunks', indexes: [{key: {files_id: 1, n: 1},"
            + " name: 'files_id_1_n_1', unique: true}]}");
    run(
        "{collMod: 'fs.chunks', mayflyExpiresWith:"
            + " {collection: 'fs.files', field: 'files_id', deleted: true}}");
    engine.workUntilIdle();
  }

  @AfterEach
  void close() {
    client.close();
    door.close();
    engine.close();
    store.close();
  }

  private void run(String command) {
    database.runCommand(BsonDocument.parse(command));
  }

  private long chunks() {
    return database.getCollection("fs.chunks").countDocuments();
  }

  private void upload(String id, String text, long seconds) {
    Document metadata =
        new Document("expireAt", Instant.ofEpochMilli(clock.now() + seconds * 1000));
    bucket.uploadFromStream(
        new BsonString(id),
        id,
        new ByteArrayInputStream(text.getBytes(UTF_8)),
        new GridFSUploadOptions().chunkSizeBytes(CHUNK_BYTES).metadata(metadata));
  }

  private String download(String id) {
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    bucket.downloadToStream(new BsonString(id), to);
    return to.toString(UTF_8);
  }

  @Test
  void chunksAreAbsentAtTheDeadlineOfTheirFile() {
    upload("a", "a".repeat(3500), 10);
    upload("b", "b".repeat(1500), 20);
    clock.advance(Duration.ofMillis(9_999));
    assertThat(download("a")).hasSize(3500);
    assertThat(chunks()).isEqualTo(6);
    clock.advance(Duration.ofMillis(1));
    assertThat(chunks()).isEqualTo(2);
    assertThat(database.getCollection("fs.chunks").find(new Document("files_id", "a"))).isEmpty();
    assertThatThrownBy(() -> download("a")).isInstanceOf(MongoGridFSException.class);
    engine.workUntilIdle();
    assertThat(chunks()).isEqualTo(2);
    assertThat(download("b")).hasSize(1500);
  }

  @Test
  void anIdCanBeUploadedAgain() {
    upload("a", "old".repeat(1000), 10);
    clock.advance(Duration.ofSeconds(10));
    upload("a", "new".repeat(500), 10);
    assertThat(download("a")).isEqualTo("new".repeat(500));
    assertThat(chunks()).isEqualTo(2);
    engine.workUntilIdle();
    assertThat(download("a")).isEqualTo("new".repeat(500));
    clock.advance(Duration.ofSeconds(10));
    assertThat(chunks()).isZero();
  }

  @Test
  void aDeleteOfTheFileAloneDeletesTheChunks() {
    upload("a", "a".repeat(2500), 10);
    database.getCollection("fs.files").deleteOne(new Document("_id", "a"));
    assertThat(chunks()).isZero();
    engine.workUntilIdle();
    bucket.drop();
    upload("a", "again", 10);
    assertThat(download("a")).isEqualTo("again");
  }
}
