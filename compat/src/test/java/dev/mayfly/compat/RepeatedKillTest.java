package dev.mayfly.compat;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a server repeatedly while drivers change, replace and delete documents of earlier runs.
 * After a restart the caches are empty, so some writes wait for the disk while others do not.
 */
final class RepeatedKillTest {
  private static final int ROUNDS = 4;
  private static final int OWNERS = 8;
  private static final int ACKNOWLEDGED_PER_ROUND = 1_500;

  @TempDir private Path data;

  /** Writer with its own documents, so that it knows the expected content of each. */
  private static final class Owner {
    private static final int DOCUMENTS = 20;

    private final int number;
    private final Random random;
    private final Map<String, Document> known = new HashMap<>();

    /** The document whose write was not acknowledged, and its content if the write was done. */
    private Optional<String> unsure = Optional.empty();

    private Optional<Document> intended = Optional.empty();
    private int tokens;

    Owner(int number) {
      this.number = number;
      this.random = new Random(number);
    }

    /** Checks all documents after a restart, and continues with them. */
    void examine(MongoCollection<Document> sessions) {
      for (int i = 0; i < DOCUMENTS; i++) {
        String id = number + "-" + i;
        Optional<Document> found = Optional.ofNullable(sessions.find(eq("_id", id)).first());
        Optional<Document> expected = Optional.ofNullable(known.get(id));
        if (unsure.filter(id::equals).isPresent()) {
          assertThat(List.of(expected, intended)).contains(found);
          found.ifPresentOrElse(it -> known.put(id, it), () -> known.remove(id));
        } else {
          assertThat(found).isEqualTo(expected);
        }
      }
      unsure = Optional.empty();
    }

    void writeUntilKilled(MongoCollection<Document> sessions, CountDownLatch enough) {
      try {
        while (true) {
          write(sessions, number + "-" + random.nextInt(DOCUMENTS));
          enough.countDown();
        }
      } catch (MongoException | IllegalStateException killed) {
        // The loop ends when the server or the client is closed.
      }
    }

    private void write(MongoCollection<Document> sessions, String id) {
      Document before = known.get(id);
      unsure = Optional.of(id);
      intended = Optional.empty();
      if (before == null) {
        Document fresh = new Document("_id", id).append("token", token()).append("n", 0);
        intended = Optional.of(fresh);
        sessions.insertOne(fresh);
      } else if (random.nextInt(3) == 0) {
        assertThat(sessions.deleteOne(eq("_id", id)).getDeletedCount()).isEqualTo(1);
      } else {
        Document after = new Document(before).append("n", before.getInteger("n") + 1);
        boolean moves = random.nextBoolean();
        intended = Optional.of(moves ? after.append("token", token()) : after);
        assertThat(
                sessions
                    .updateOne(
                        eq("_id", id), combine(inc("n", 1), set("token", after.get("token"))))
                    .getModifiedCount())
            .isEqualTo(1);
      }
      intended.ifPresentOrElse(it -> known.put(id, it), () -> known.remove(id));
      unsure = Optional.empty();
    }

    private String token() {
      return number + "/" + tokens++;
    }
  }

  @Test
  void acknowledgedWritesSurviveRepeatedKills() throws Exception {
    List<Owner> owners = new ArrayList<>();
    for (int i = 0; i < OWNERS; i++) {
      owners.add(new Owner(i));
    }
    for (int round = 0; round < ROUNDS; round++) {
      writeUntilKilled(owners);
    }
    try (ServerProcess server = ServerProcess.on(data);
        MongoClient client = server.client()) {
      owners.forEach(owner -> owner.examine(sessions(client)));
      long left = owners.stream().mapToLong(owner -> owner.known.size()).sum();
      assertThat(sessions(client).countDocuments()).isEqualTo(left);
      Document valid = client.getDatabase("kill").runCommand(new Document("validate", "sessions"));
      assertThat(valid.get("keysPerIndex", Document.class)).containsEntry("token_1", left);
    }
  }

  private void writeUntilKilled(List<Owner> owners) throws Exception {
    CountDownLatch enough = new CountDownLatch(ACKNOWLEDGED_PER_ROUND);
    List<Future<?>> writing = new ArrayList<>();
    // Closed in reverse order: the client before the writers, which then do not wait for a server.
    try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor();
        ServerProcess server = ServerProcess.on(data);
        MongoClient client = MongoClients.create(server.settings().retryWrites(false).build())) {
      MongoCollection<Document> sessions = sessions(client);
      sessions.createIndex(Indexes.ascending("token"), new IndexOptions().unique(true));
      owners.forEach(owner -> owner.examine(sessions));
      for (Owner owner : owners) {
        writing.add(writers.submit(() -> owner.writeUntilKilled(sessions, enough)));
      }
      boolean busy = enough.await(60, TimeUnit.SECONDS);
      server.kill();
      assertThat(busy).as("writes are acknowledged").isTrue();
    }
    for (Future<?> one : writing) {
      one.get();
    }
  }

  private static MongoCollection<Document> sessions(MongoClient client) {
    return client.getDatabase("kill").getCollection("sessions");
  }
}
