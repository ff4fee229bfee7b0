package dev.mayfly.mongo.cluster;

import static dev.mayfly.mongo.cluster.TwoDoors.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.MongoClient;
import dev.mayfly.mongo.auth.Login;
import dev.mayfly.mongo.testing.Eventually;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Users and roles on two servers: those of the home cell, which server 0 has at first. */
final class UsersTest {
  private final TwoDoors doors = new TwoDoors(settings -> settings.withLogin(Login.ALWAYS));

  @BeforeEach
  void createAdministrator() {
    // through the server that does not have the home cell
    doors.run(1, "admin", "{createUser: 'root', pwd: 'secret', roles: ['root']}");
  }

  @AfterEach
  void close() {
    doors.close();
  }

  private MongoClient as(int server, String user) {
    return doors.client(
        "mongodb://"
            + user
            + ":secret@"
            + doors.host(server)
            + "/?authSource=admin&serverSelectionTimeoutMS=5000");
  }

  private static Document run(MongoClient client, String database, String command) {
    return client.getDatabase(database).runCommand(BsonDocument.parse(command));
  }

  @Test
  void aUserLogsInAtTheServerThatCreatedItAndAtTheOther() {
    run(
        as(1, "root"),
        "admin",
        "{createUser: 'ann', pwd: 'secret', roles: [{role: 'readWrite', db: 'shop'}]}");
    run(as(1, "ann"), "shop", "{insert: 'c', documents: [{_id: 1}]}");
    MongoClient other = as(0, "ann");
    assertThat(other.getDatabase("shop").getCollection("c").countDocuments()).isEqualTo(1);
    assertFails(() -> run(other, "store", "{insert: 'c', documents: [{_id: 1}]}"), 13);
    // a database is created only for a user that may write to it
    assertThat(as(0, "root").listDatabaseNames()).doesNotContain("store");
    assertThat(doors.servers.cells(0).status().cells())
        .noneMatch(cell -> cell.databases().contains("store"));
  }

  @Test
  void aWrongPasswordFailsAtBothServers() {
    for (int server = 0; server < 2; server++) {
      MongoClient client =
          doors.client(
              "mongodb://root:wrong@"
                  + doors.host(server)
                  + "/?authSource=admin&serverSelectionTimeoutMS=5000");
      assertThatThrownBy(() -> run(client, "admin", "{usersInfo: 1}"))
          .isInstanceOf(MongoSecurityException.class);
    }
  }

  @Test
  void aRevokedRoleEndsSoonAtOtherServers() {
    MongoClient root = as(0, "root");
    run(root, "admin", "{createRole: 'keeper', privileges: [], roles: ['root']}");
    run(root, "admin", "{createUser: 'ann', pwd: 'secret', roles: ['keeper']}");
    MongoClient ann =
        Eventually.get(
            () -> {
              MongoClient client = as(1, "ann");
              run(client, "shop", "{insert: 'c', documents: [{}]}");
              return client;
            });
    run(root, "admin", "{revokeRolesFromUser: 'ann', roles: ['keeper']}");
    Eventually.holds(
        () -> assertFails(() -> run(ann, "shop", "{insert: 'c', documents: [{}]}"), 13));
  }

  @Test
  void usersSurviveAMoveOfTheHomeCell() {
    doors.servers.cells(0).move(0, 1);
    MongoClient root = as(0, "root");
    run(root, "admin", "{createUser: 'ann', pwd: 'secret', roles: ['root']}");
    assertThat(run(as(0, "ann"), "admin", "{usersInfo: 1}").getList("users", Document.class))
        .hasSize(2);
    assertThat(run(as(1, "ann"), "admin", "{usersInfo: 1}").getList("users", Document.class))
        .hasSize(2);
  }

  @Test
  void defaultConcernsAndTheWriteBlockAreThoseOfTheCluster() {
    MongoClient one = as(1, "root");
    MongoClient zero = as(0, "root");
    run(one, "admin", "{setDefaultRWConcern: 1, defaultReadConcern: {level: 'majority'}}");
    assertThat(
            run(one, "admin", "{getDefaultRWConcern: 1}").get("defaultReadConcern", Document.class))
        .containsEntry("level", "majority");
    doors.place(zero, "zero", 0);
    doors.place(zero, "one", 1);
    run(zero, "admin", "{setUserWriteBlockMode: 1, global: true}");
    for (String database : new String[] {"zero", "one"}) {
      Eventually.holds(
          () -> assertFails(() -> run(zero, database, "{insert: 'c', documents: [{}]}"), 371));
    }
    run(one, "admin", "{setUserWriteBlockMode: 1, global: false}");
    for (String database : new String[] {"zero", "one"}) {
      Eventually.holds(() -> inserted(one, database));
    }
  }

  private static void inserted(MongoClient client, String database) {
    try {
      run(client, database, "{insert: 'c', documents: [{}]}");
    } catch (MongoException failure) {
      throw new AssertionError(failure);
    }
  }
}
