package dev.mayfly.mongo.cluster;

import static dev.mayfly.mongo.cluster.TwoDoors.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.mayfly.mongo.testing.Eventually;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients of a cell that moves from one server to the other. */
final class MovingTest {
  private static final int MOVES = 6;

  private final TwoDoors doors = new TwoDoors();

  @AfterEach
  void close() {
    doors.close();
  }

  private MongoCollection<Document> collection(int server) {
    return doors.client(server).getDatabase("shop").getCollection("c");
  }

  /** Increments a counter until it is stopped. Returns how often. */
  private static CompletableFuture<Integer> increments(
      MongoCollection<Document> collection, AtomicBoolean stop) {
    return CompletableFuture.supplyAsync(
        () -> {
          int done = 0;
          while (!stop.get()) {
            assertThat(collection.updateOne(Filters.eq(1), Updates.inc("n", 1)).getModifiedCount())
                .isEqualTo(1);
            assertThat(collection.find(Filters.eq(1)).first()).isNotNull();
            done++;
          }
          return done;
        });
  }

  @Test
  void retryableWritesHappenOnceWhileTheCellMoves() {
    doors.place("shop", 0);
    collection(0).insertOne(new Document("_id", 1).append("n", 0));
    AtomicBoolean stop = new AtomicBoolean();
    CompletableFuture<Integer> first = increments(collection(0), stop);
    CompletableFuture<Integer> second = increments(collection(1), stop);
    for (int i = 1; i <= MOVES; i++) {
      doors.move("shop", i % 2);
    }
    stop.set(true);
    int expected = first.join() + second.join();
    for (int server = 0; server < 2; server++) {
      assertThat(collection(server).find().first()).containsEntry("n", expected);
    }
  }

  @Test
  void aCursorDoesNotMoveWithItsCell() {
    doors.place("shop", 0);
    for (int i = 0; i < 10; i++) {
      collection(0).insertOne(new Document("_id", i));
    }
    try (MongoCursor<Document> cursor = collection(1).find().batchSize(5).iterator()) {
      for (int i = 0; i < 5; i++) {
        cursor.next();
      }
      doors.move("shop", 1);
      assertFails(cursor::next, 43);
    }
  }

  @Test
  void retryableWritesHappenOnceWhileTheServerOfTheCellStops() {
    doors.place("shop", 1);
    collection(0).insertOne(new Document("_id", 1).append("n", 0));
    AtomicBoolean stop = new AtomicBoolean();
    CompletableFuture<Integer> writer = increments(collection(0), stop);
    Eventually.holds(() -> assertThat(counter()).isPositive());
    doors.servers.kill(1);
    int before = counter();
    Eventually.holds(() -> assertThat(counter()).isGreaterThan(before));
    stop.set(true);
    assertThat(writer.join()).isEqualTo(counter());
  }

  private int counter() {
    Document found = collection(0).find().first();
    return found == null ? -1 : found.getInteger("n", -1);
  }

  @Test
  void theCellOfAServerThatHasStoppedIsServedByTheOther() {
    doors.place("shop", 1);
    collection(0).insertMany(List.of(new Document("_id", 0), new Document("_id", 1)));
    long cursor =
        doors
            .raw(0, "shop", "{'find':'c','batchSize':1}")
            .field("cursor")
            .asDocument()
            .field("id")
            .asLong();
    collection(0).deleteOne(Filters.eq(0));
    doors.servers.kill(1);
    assertFails(
        () -> doors.run(0, "shop", "{'getMore':NumberLong('" + cursor + "'),'collection':'c'}"),
        43);
    MongoCollection<Document> left = collection(0);
    assertThat(left.find().first()).isEqualTo(new Document("_id", 1));
    left.insertOne(new Document("_id", 2));
    assertThat(left.countDocuments()).isEqualTo(2);
  }
}
