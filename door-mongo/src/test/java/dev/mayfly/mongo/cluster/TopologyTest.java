package dev.mayfly.mongo.cluster;

import static dev.mayfly.mongo.cluster.TwoDoors.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import dev.mayfly.mongo.ClusterTopology;
import dev.mayfly.mongo.testing.Eventually;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** What drivers learn of several servers. */
final class TopologyTest {
  @Test
  void serversAreRoutersOfAShardedCluster() {
    try (TwoDoors doors = new TwoDoors()) {
      Document hello = doors.run(0, "admin", "{hello: 1}");
      assertThat(hello)
          .containsEntry("msg", "isdbgrid")
          .containsEntry("isWritablePrimary", true)
          .doesNotContainKeys("setName", "hosts");
      assertThat(hello).containsKeys("$clusterTime", "operationTime");
      assertThat(doors.run(1, "admin", "{listShards: 1}").getList("shards", Document.class))
          .extracting(shard -> shard.getString("host"))
          .containsExactly(doors.host(0), doors.host(1));
      assertThat(doors.run(1, "admin", "{serverStatus: 1}")).containsEntry("process", "mongos");
    }
  }

  @Test
  void serversAndDatabasesAreCollections() {
    try (TwoDoors doors = new TwoDoors()) {
      doors.place("zero", 0);
      doors.place("one", 1);
      MongoDatabase config = doors.client(0).getDatabase("config");
      assertThat(config.getCollection("shards").find().sort(new Document("_id", 1)))
          .extracting(shard -> shard.getString("host"))
          .containsExactly(doors.host(0), doors.host(1));
      assertThat(config.getCollection("databases").find(new Document("_id", "one")))
          .extracting(database -> database.getString("primary"))
          .containsExactly("server1");
      assertThat(config.getCollection("shards").countDocuments()).isEqualTo(2);
      assertThat(
              doors
                  .client(1)
                  .getDatabase("admin")
                  .aggregate(
                      List.of(
                          new Document("$currentOp", new Document("idleConnections", true)),
                          new Document("$project", new Document("host", 1).append("opid", 1)))))
          .anyMatch(row -> row.getInteger("opid", 0) >>> 21 == 1)
          .anyMatch(row -> row.getInteger("opid", 0) >>> 21 == 0);
    }
  }

  @Test
  void serversAreAReplicaSetIfTheSettingsSaySo() {
    try (TwoDoors doors =
        new TwoDoors(settings -> settings.withTopology(ClusterTopology.REPLICA_SET))) {
      Eventually.holds(
          () -> {
            Document hello = doors.run(1, "admin", "{hello: 1}");
            assertThat(hello.getList("hosts", String.class))
                .containsExactly(doors.host(0), doors.host(1));
            assertThat(hello)
                .containsEntry("setName", "mayfly")
                .containsEntry("primary", doors.host(0))
                .containsEntry("me", doors.host(1))
                .containsEntry("secondary", true)
                .containsEntry("isWritablePrimary", false);
          });
      MongoClient client =
          doors.client(
              "mongodb://" + doors.host(1) + "/?replicaSet=mayfly&readPreference=secondary");
      client.getDatabase("shop").getCollection("c").insertOne(new Document("_id", 1));
      assertThat(client.getDatabase("shop").getCollection("c").countDocuments()).isEqualTo(1);
      assertThat(doors.run(0, "admin", "{replSetGetStatus: 1}").getList("members", Document.class))
          .extracting(member -> member.getString("stateStr"))
          .containsExactly("PRIMARY", "SECONDARY");
    }
  }

  @Test
  void operationsOfAllServersAreListedAndKilled() {
    try (TwoDoors doors = new TwoDoors()) {
      doors.place("one", 1);
      CompletableFuture<Void> watch =
          CompletableFuture.runAsync(() -> assertFails(() -> next(doors), 11601));
      int opid =
          Eventually.get(
              () ->
                  doors
                      .run(1, "admin", "{currentOp: 1, op: 'getmore'}")
                      .getList("inprog", Document.class)
                      .stream()
                      .filter(row -> row.getInteger("opid") >>> 21 == 1)
                      .findFirst()
                      .orElseThrow()
                      .getInteger("opid"));
      doors.run(0, "admin", "{killOp: 1, op: " + opid + "}");
      watch.join();
    }
  }

  private static void next(TwoDoors doors) {
    try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream =
        doors
            .client(0)
            .getDatabase("one")
            .getCollection("c")
            .watch()
            .maxAwaitTime(100, TimeUnit.SECONDS)
            .cursor()) {
      stream.next();
    }
  }
}
