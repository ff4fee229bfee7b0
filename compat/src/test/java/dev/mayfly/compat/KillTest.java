package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a server while drivers write to it, and checks that all acknowledged writes exist. */
final class KillTest {
  private static final int ROUNDS = 3;
  private static final int ACKNOWLEDGED_PER_ROUND = 400;

  @TempDir private Path data;

  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

  @Test
  void acknowledgedWritesSurviveAKill() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      writeUntilKilled(round);
      examine();
    }
  }

  private void writeUntilKilled(int round) throws InterruptedException {
    CountDownLatch enough = new CountDownLatch(ACKNOWLEDGED_PER_ROUND);
    // Closed in reverse order: the client before the writers, which then do not wait for a server.
    try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor();
        ServerProcess server = ServerProcess.on(data);
        MongoClient client = MongoClients.create(server.settings().retryWrites(false).build())) {
      String name = round + "-";
      writers.execute(() -> insert(client, WriteConcern.MAJORITY, name + "majority", enough));
      writers.execute(() -> insert(client, WriteConcern.JOURNALED, name + "journal", enough));
      writers.execute(() -> transact(client, name + "transaction", enough));
      boolean busy = enough.await(60, TimeUnit.SECONDS);
      server.kill();
      assertThat(busy).as("writes are acknowledged").isTrue();
    }
  }

  private static MongoCollection<Document> things(MongoClient client) {
    return client.getDatabase("kill").getCollection("things");
  }

  private void insert(
      MongoClient client, WriteConcern concern, String name, CountDownLatch enough) {
    MongoCollection<Document> things = things(client).withWriteConcern(concern);
    untilKilled(
        i -> {
          String id = name + i;
          things.insertOne(new Document("_id", id));
          acknowledged.add(id);
          enough.countDown();
        });
  }

  /** Two documents in each transaction. */
  private void transact(MongoClient client, String name, CountDownLatch enough) {
    MongoCollection<Document> things = things(client);
    untilKilled(
        i -> {
          String left = name + i + "-left";
          String right = name + i + "-right";
          try (ClientSession session = client.startSession()) {
            session.startTransaction();
            things.insertOne(session, new Document("_id", left).append("twin", right));
            things.insertOne(session, new Document("_id", right).append("twin", left));
            session.commitTransaction();
          }
          acknowledged.add(left);
          acknowledged.add(right);
          enough.countDown();
        });
  }

  private interface NumberedWrite {
    void run(int number);
  }

  private static void untilKilled(NumberedWrite write) {
    try {
      for (int i = 0; ; i++) {
        write.run(i);
      }
    } catch (MongoException | IllegalStateException killed) {
      // The loop ends when the server or the client is closed.
    }
  }

  private void examine() {
    Set<String> found = new HashSet<>();
    try (ServerProcess server = ServerProcess.on(data);
        MongoClient client = server.client()) {
      MongoCollection<Document> things = things(client);
      things.find().forEach(document -> found.add(document.getString("_id")));
      assertThat(found).containsAll(acknowledged);
      things
          .find(Document.parse("{twin: {$exists: true}}"))
          .forEach(half -> assertThat(found).contains(half.getString("twin")));
      assertThat(things.countDocuments()).isEqualTo(found.size());
    }
  }
}
