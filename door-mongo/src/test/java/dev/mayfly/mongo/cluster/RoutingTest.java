package dev.mayfly.mongo.cluster;

import static dev.mayfly.mongo.cluster.TwoDoors.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.mayfly.mongo.Shell;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands reach the server of their cell, whichever server the client is connected to. */
final class RoutingTest {
  private final TwoDoors doors = new TwoDoors();

  @BeforeEach
  void placeDatabases() {
    doors.place("zero", 0);
    doors.place("one", 1);
  }

  @AfterEach
  void close() {
    doors.close();
  }

  private MongoCollection<Document> collection(int server, String database) {
    return doors.client(server).getDatabase(database).getCollection("c");
  }

  private static List<Document> numbers(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Document("_id", i)).toList();
  }

  @Test
  void documentsAreWrittenAndReadThroughAnotherServer() {
    for (String database : List.of("zero", "one")) {
      for (int server = 0; server < 2; server++) {
        MongoCollection<Document> here = collection(server, database);
        here.insertMany(numbers(10));
        assertThat(here.updateOne(Filters.eq(3), Updates.set("a", 1)).getModifiedCount())
            .isEqualTo(1);
        assertThat(here.deleteMany(Filters.gte("_id", 8)).getDeletedCount()).isEqualTo(2);
        MongoCollection<Document> there = collection(1 - server, database);
        assertThat(there.countDocuments()).isEqualTo(8);
        assertThat(there.find(Filters.eq("a", 1)).first()).containsEntry("_id", 3);
        assertThat(there.aggregate(List.of(Aggregates.group(null, Accumulators.sum("s", "$_id")))))
            .extracting(one -> one.getInteger("s"))
            .containsExactly(28);
        there.drop();
        assertThat(here.countDocuments()).isZero();
      }
    }
  }

  @Test
  void aCursorIsContinuedThroughTheOtherServer() {
    for (String database : List.of("zero", "one")) {
      collection(0, database).insertMany(numbers(250));
      long id = cursor(0, database, "{'find':'c','sort':{'_id':1},'batchSize':100}");
      dev.mayfly.value.Document more =
          doors.raw(1, database, "{'getMore':{'$numberLong':'" + id + "'},'collection':'c'}");
      List<String> batch = Shell.batch(more.field("cursor").asDocument());
      assertThat(batch).hasSize(150).first().isEqualTo("{'_id':100}");
      long other = cursor(0, database, "{'find':'c','batchSize':2}");
      dev.mayfly.value.Document killed =
          doors.raw(
              1,
              database,
              "{'killCursors':'c','cursors':[{'$numberLong':'"
                  + other
                  + "'},{'$numberLong':'7'}]}");
      assertThat(Shell.text(killed.field("cursorsKilled"))).isEqualTo("[" + other + "]");
      assertThat(Shell.text(killed.field("cursorsNotFound"))).isEqualTo("[7]");
      assertThat(doors.door(0).cursors() + doors.door(1).cursors()).isZero();
    }
  }

  private long cursor(int server, String database, String command) {
    return doors.raw(server, database, command).field("cursor").asDocument().field("id").asLong();
  }

  @Test
  void aDriverWithBothHostsReadsAllBatches() {
    collection(0, "one").insertMany(numbers(1000));
    List<Integer> seen = new ArrayList<>();
    MongoCollection<Document> both = doors.both().getDatabase("one").getCollection("c");
    try (MongoCursor<Document> cursor = both.find().batchSize(10).iterator()) {
      cursor.forEachRemaining(one -> seen.add(one.getInteger("_id")));
    }
    assertThat(seen).hasSize(1000).doesNotHaveDuplicates();
  }

  @Test
  void databasesOfAllCellsAreListed() {
    for (int server = 0; server < 2; server++) {
      assertThat(doors.client(server).listDatabaseNames()).contains("zero", "one");
    }
  }

  @Test
  void aDatabaseThatDoesNotExistIsEmpty() {
    assertThat(collection(1, "none").find().first()).isNull();
    assertThat(doors.client(0).listDatabaseNames()).doesNotContain("none");
    assertFails(() -> doors.run(0, "none", "{collMod: 'c', validationLevel: 'off'}"), 26);
    assertFails(() -> doors.run(0, "no$name", "{insert: 'c', documents: [{_id: 1}]}"), 73);
  }

  @Test
  void anUnknownCursorIsNotFound() {
    // of this server, of the other one, and of one that does not exist
    for (long cursor : new long[] {1024, 1025, 1024 + 700}) {
      assertFails(
          () -> doors.run(0, "one", "{getMore: NumberLong('" + cursor + "'), collection: 'c'}"),
          43);
    }
    assertFails(() -> doors.run(0, "one", "{getMore: 'x', collection: 'c'}"), 14);
  }

  @Test
  void writesIntoAnotherCellAreRefused() {
    collection(0, "zero").insertOne(new Document("_id", 1));
    assertFails(
        () ->
            doors.run(
                0,
                "zero",
                "{aggregate: 'c', pipeline: [{$out: {db: 'one', coll: 'd'}}], cursor: {}}"),
        20);
    assertFails(
        () ->
            doors.run(
                1,
                "zero",
                "{aggregate: 'c', cursor: {},"
                    + " pipeline: [{$merge: {into: {db: 'one', coll: 'd'}}}]}"),
        20);
    assertFails(() -> doors.run(0, "admin", "{renameCollection: 'zero.c', to: 'one.c'}"), 20);
    assertFails(
        () -> doors.run(1, "zero", "{create: 'e', mayflyOnExpire: {moveTo: 'one.expired'}}"), 20);
    doors.run(1, "admin", "{renameCollection: 'zero.c', to: 'zero.d'}");
    assertThat(doors.client(0).getDatabase("zero").getCollection("d").countDocuments())
        .isEqualTo(1);
    doors.run(
        1, "zero", "{aggregate: 'd', pipeline: [{$out: {db: 'zero', coll: 'e'}}], cursor: {}}");
    assertThat(doors.client(0).getDatabase("zero").getCollection("e").countDocuments())
        .isEqualTo(1);
  }

  @Test
  void commandsThatSeveralServersDoNotOfferAreRefused() {
    assertFails(() -> doors.run(0, "admin", "{mayflyClock: 1}"), 115);
    assertFails(() -> doors.run(0, "admin", "{fsync: 1, lock: true}"), 115);
    assertFails(() -> doors.run(0, "one", "{frobnicate: 1}"), 59);
    assertThat(doors.run(0, "admin", "{fsync: 1}").getDouble("ok")).isEqualTo(1);
  }
}
