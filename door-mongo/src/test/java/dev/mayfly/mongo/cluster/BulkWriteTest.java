package dev.mayfly.mongo.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ClientBulkWriteException;
import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.bulk.ClientBulkWriteOptions;
import com.mongodb.client.model.bulk.ClientBulkWriteResult;
import com.mongodb.client.model.bulk.ClientNamespacedWriteModel;
import dev.mayfly.mongo.Shell;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The command bulkWrite over databases in the cells of two servers. */
final class BulkWriteTest {
  private static final MongoNamespace ZERO = new MongoNamespace("zero.c");
  private static final MongoNamespace ONE = new MongoNamespace("one.c");

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

  private static ClientNamespacedWriteModel insert(MongoNamespace into, int id) {
    return ClientNamespacedWriteModel.insertOne(into, new Document("_id", id));
  }

  private long count(MongoClient client, String database) {
    return client.getDatabase(database).getCollection("c").countDocuments();
  }

  @Test
  void operationsRunInTheirOrderInSeveralCells() {
    MongoClient client = doors.client(0);
    ClientBulkWriteResult result =
        client.bulkWrite(
            List.of(
                insert(ZERO, 1),
                insert(ONE, 1),
                ClientNamespacedWriteModel.updateOne(ZERO, Filters.eq(1), Updates.set("a", 1)),
                ClientNamespacedWriteModel.deleteOne(ONE, Filters.eq(1)),
                insert(ONE, 2)),
            ClientBulkWriteOptions.clientBulkWriteOptions().verboseResults(true));
    assertThat(result.getInsertedCount()).isEqualTo(3);
    assertThat(result.getModifiedCount()).isEqualTo(1);
    assertThat(result.getDeletedCount()).isEqualTo(1);
    assertThat(result.getVerboseResults().orElseThrow().getInsertResults())
        .containsOnlyKeys(0, 1, 4);
    assertThat(count(client, "zero")).isEqualTo(1);
    assertThat(count(client, "one")).isEqualTo(1);
  }

  @Test
  void anOrderedBulkStopsAtTheFirstError() {
    MongoClient client = doors.client(1);
    List<ClientNamespacedWriteModel> models =
        List.of(insert(ZERO, 1), insert(ONE, 1), insert(ZERO, 1), insert(ONE, 2));
    assertThatThrownBy(() -> client.bulkWrite(models))
        .isInstanceOfSatisfying(
            ClientBulkWriteException.class,
            failure -> assertThat(failure.getWriteErrors()).containsOnlyKeys(2));
    assertThat(count(client, "one")).isEqualTo(1);
    assertThatThrownBy(
            () ->
                client.bulkWrite(
                    List.of(insert(ZERO, 1), insert(ONE, 1), insert(ZERO, 2), insert(ONE, 2)),
                    ClientBulkWriteOptions.clientBulkWriteOptions().ordered(false)))
        .isInstanceOfSatisfying(
            ClientBulkWriteException.class,
            failure -> assertThat(failure.getWriteErrors()).containsOnlyKeys(0, 1));
    assertThat(count(client, "zero")).isEqualTo(2);
    assertThat(count(client, "one")).isEqualTo(2);
  }

  @Test
  void aRetriedBulkIsExecutedOnce() {
    String command =
        "{'bulkWrite':1,'nsInfo':[{'ns':'zero.c'},{'ns':'one.c'}],'ops':["
            + "{'insert':0,'document':{'_id':1,'n':0}},"
            + "{'update':0,'filter':{'_id':1},'updateMods':{'$inc':{'n':1}}},"
            + "{'insert':1,'document':{'_id':1}},"
            + "{'update':0,'filter':{'_id':1},'updateMods':{'$inc':{'n':1}}}],"
            + Shell.retryable(1)
            + "}";
    for (int server = 0; server < 2; server++) {
      dev.mayfly.value.Document reply = doors.raw(server, "admin", command);
      assertThat(Shell.at(reply, "nErrors").asInt()).describedAs(reply.toString()).isZero();
      assertThat(Shell.at(reply, "nModified").asInt()).isEqualTo(2);
    }
    assertThat(doors.client(0).getDatabase("zero").getCollection("c").find().first())
        .containsEntry("n", 2);
  }
}
