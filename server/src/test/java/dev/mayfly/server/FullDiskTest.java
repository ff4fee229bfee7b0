package dev.mayfly.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import dev.mayfly.MayflySettings;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.expiry.ManualClock;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.bson.BsonDateTime;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose data has reached the limit of disk space. */
final class FullDiskTest {
  private static final long NOW = 1_900_000_000_000L;
  private static final int OUT_OF_DISK_SPACE = 14031;
  private static final long LIMIT = 24 << 20;
  private static final int TRIES = 2_000;
  private static final int FILLINGS = 20;
  private static final long PAUSE_NANOS = 10_000_000;

  @TempDir private Path data;

  private final ManualClock clock = new ManualClock(NOW);
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    http.close();
  }

  private ServerSettings small() {
    MayflySettings limited =
        MayflySettings.standard().withMemoryBytes(8 << 20).withMaxDiskBytes(LIMIT);
    return ServerSettings.inMemory()
        .withData(data)
        .withInstance(limited)
        .withClock(clock)
        .withCosmos(CosmosSettings.standard(() -> NOW).withAddress("127.0.0.1", 0));
  }

  @Test
  void aFullDiskIsReadOnlyUntilExpiryFreesSpace() throws Exception {
    Random random = new Random(7);
    try (Server server = Server.open(small());
        MongoClient client = MongoClients.create(server.mongo().connectionString())) {
      MongoCollection<Document> carts = client.getDatabase("shop").getCollection("carts");
      carts.createIndex(
          new Document("at", 1), new IndexOptions().expireAfter(60L, TimeUnit.SECONDS));
      assertThat(get(server, "readyz").statusCode()).isEqualTo(200);

      int written = fill(server, carts, random);

      assertThat(carts.countDocuments()).isEqualTo(written);
      assertThat(carts.find(new Document("_id", written - 1)).first()).isNotNull();
      assertThat(get(server, "healthz").statusCode()).isEqualTo(200);
      assertThat(carts.deleteOne(new Document("_id", 0)).getDeletedCount()).isEqualTo(1);

      clock.advance(Duration.ofMinutes(2));
      server.mayfly().engine().clockMoved();
      assertThat(carts.countDocuments()).isZero();
      writeWhenThereIsRoom(carts, random);

      assertThat(get(server, "readyz").statusCode()).isEqualTo(200);
      assertThat(get(server, "metrics").body()).contains("mayfly_read_only 0.0");
      assertThat(carts.countDocuments()).isEqualTo(1);
    }
  }

  /**
   * Inserts documents until the disk is full, and checks that it is reported at both doors. A
   * compaction may end meanwhile and free its input: then the disk is filled again.
   *
   * @return the number of documents
   */
  private int fill(Server server, MongoCollection<Document> carts, Random random) throws Exception {
    int written = 0;
    AssertionError last = new AssertionError("never filled");
    for (int i = 0; i < FILLINGS; i++) {
      written = insertUntilRefused(carts, written, random);
      try {
        assertFull(server);
        return written;
      } catch (AssertionError failure) {
        last = failure;
      }
    }
    throw last;
  }

  private void assertFull(Server server) throws Exception {
    HttpResponse<String> ready = get(server, "readyz");
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(ready.body()).contains("read-only");
    assertThat(get(server, "metrics").body()).contains("mayfly_read_only 1.0");
    assertCosmosRefuses(server);
  }

  /** Returns the number of documents at the first rejection. */
  private static int insertUntilRefused(MongoCollection<Document> carts, int first, Random random) {
    for (int i = first; i < first + TRIES; i++) {
      try {
        carts.insertOne(cart(i, NOW, random));
      } catch (MongoException full) {
        assertThat(full.getCode()).isEqualTo(OUT_OF_DISK_SPACE);
        assertThat(full.getMessage()).contains("the disk is full");
        return i;
      }
    }
    throw new AssertionError("nothing was refused");
  }

  private static Document cart(int id, long at, Random random) {
    byte[] bytes = new byte[32 << 10];
    random.nextBytes(bytes);
    return new Document("_id", id).append("at", new BsonDateTime(at)).append("bytes", bytes);
  }

  /** Waits for the sweep and the compaction in the background. */
  private void writeWhenThereIsRoom(MongoCollection<Document> carts, Random random) {
    MongoException last = null;
    for (int i = 0; i < TRIES; i++) {
      try {
        carts.insertOne(cart(-1, clock.now(), random));
        return;
      } catch (MongoException full) {
        last = full;
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    throw new AssertionError("there is no room again", last);
  }

  private HttpResponse<String> get(Server server, String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(url(server) + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static String url(Server server) {
    return server.cosmos().orElseThrow().endpoint().replace("https:", "http:");
  }

  private void assertCosmosRefuses(Server server) throws Exception {
    HttpRequest create =
        HttpRequest.newBuilder(URI.create(url(server) + "dbs"))
            .headers(Signature.of(MasterKey.WELL_KNOWN, NOW, "POST", "dbs", ""))
            .POST(HttpRequest.BodyPublishers.ofString("{\"id\":\"shop\"}"))
            .build();
    HttpResponse<String> refused = http.send(create, HttpResponse.BodyHandlers.ofString());
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("\"code\":\"Forbidden\"", "its disk is full");
  }
}
