package dev.mayfly.mongo.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.mayfly.cluster.Route;
import dev.mayfly.cluster.SharedCells;
import dev.mayfly.cluster.TestServers;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.mongo.MongoDoor;
import dev.mayfly.mongo.MongoSettings;
import dev.mayfly.mongo.testing.Eventually;
import dev.mayfly.mongo.testing.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonDocument;
import org.bson.Document;

/** Two servers of one cluster in this process, each with a door and a driver connected to it. */
final class TwoDoors implements AutoCloseable {
  static final long START = 1_700_000_000_000L;

  final ManualClock clock = new ManualClock(START);
  final TestServers servers = TestServers.start(2, clock);
  private final List<MongoDoor> doors = new ArrayList<>();
  private final List<MongoClient> clients = new ArrayList<>();

  TwoDoors() {
    this(settings -> settings);
  }

  /** Two doors with changed settings. */
  TwoDoors(UnaryOperator<MongoSettings> settings) {
    for (int i = 0; i < 2; i++) {
      SharedCells cells = servers.cells(i);
      MongoDoor door =
          MongoDoor.open(
              cells,
              clock::now,
              settings.apply(MongoSettings.standard(System::nanoTime).withAddress("127.0.0.1", 0)));
      cells.announce(host(door), Optional.empty());
      doors.add(door);
    }
  }

  private static String host(MongoDoor door) {
    return "127.0.0.1:" + door.address().getPort();
  }

  MongoDoor door(int server) {
    return doors.get(server);
  }

  /** The host and port of a door. */
  String host(int server) {
    return host(doors.get(server));
  }

  /** A driver that is connected to one server. */
  MongoClient client(int server) {
    return client("mongodb://" + host(server) + "/?serverSelectionTimeoutMS=5000");
  }

  /** A driver that is connected to both servers. */
  MongoClient both() {
    String hosts = doors.stream().map(TwoDoors::host).collect(Collectors.joining(","));
    return client("mongodb://" + hosts + "/?serverSelectionTimeoutMS=5000");
  }

  MongoClient client(String connectionString) {
    MongoClient client = MongoClients.create(connectionString);
    clients.add(client);
    return client;
  }

  /** Runs a command at one server. */
  Document run(int server, String database, String command) {
    return client(server)
        .getDatabase(database)
        .runCommand(BsonDocument.parse(command.replace('\'', '"')));
  }

  /** The reply to a command that has no session, successful or not. */
  dev.mayfly.value.Document raw(int server, String database, String command) {
    String body =
        command.replace('\'', '"').substring(0, command.length() - 1)
            + ",\"$db\":\""
            + database
            + "\"}";
    try (RawClient client = new RawClient(doors.get(server).address())) {
      return client.call(body);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Checks that a command of a driver fails with a code. */
  static void assertFails(ThrowingCallable call, int code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            MongoException.class,
            failure ->
                assertThat(failure.getCode()).describedAs(failure.getMessage()).isEqualTo(code));
  }

  /** Creates a database whose cell is at a server. */
  void place(String database, int server) {
    place(client(server), database, server);
  }

  /** As {@link #place(String, int)} by a client that may create it. */
  void place(MongoClient client, String database, int server) {
    client.getDatabase(database).createCollection("placed");
    if (!(servers.cells(server).routeOf(cellOf(database)) instanceof Route.Here)) {
      move(database, server);
    }
  }

  /** The cell of a database. */
  int cellOf(String database) {
    return switch (servers.cells(0).route(database)) {
      case Route.Here here -> here.cell().number();
      case Route.There there -> there.cell();
      case Route.Orphaned orphaned -> orphaned.cell();
      case Route.Nowhere _ -> throw new AssertionError(database + " has no cell");
    };
  }

  /** Moves the cell of a database to a server. */
  void move(String database, int server) {
    Eventually.holds(
        () -> {
          servers.cells(server).refresh();
          servers.cells(server).move(cellOf(database), server);
        });
  }

  @Override
  public void close() {
    clients.forEach(MongoClient::close);
    doors.forEach(MongoDoor::close);
    servers.close();
  }
}
