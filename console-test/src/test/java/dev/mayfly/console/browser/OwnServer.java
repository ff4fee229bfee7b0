package dev.mayfly.console.browser;

import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Namespace;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.mongo.auth.Login;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.server.Server;
import dev.mayfly.server.ServerSettings;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * JUnit extension: a server in memory with settings of the test, and a wall clock that it moves.
 */
final class OwnServer implements BeforeEachCallback, AfterEachCallback {
  static final String KEY = Base64.getEncoder().encodeToString(new byte[64]);

  private final UnaryOperator<ServerSettings> change;
  private final ManualClock wall =
      new ManualClock(Instant.parse("2030-01-01T00:00:00Z").toEpochMilli());
  private @Nullable Server open;

  OwnServer(UnaryOperator<ServerSettings> change) {
    this.change = change;
  }

  /** A server on which all clients must log in. */
  static OwnServer withAuth() {
    return new OwnServer(settings -> settings.withMongo(settings.mongo().withLogin(Login.ALWAYS)));
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    CosmosSettings cosmos = CosmosSettings.standard(wall).withAddress("127.0.0.1", 0).withKey(KEY);
    open = Server.open(change.apply(ServerSettings.inMemory().withCosmos(cosmos)));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    server().close();
  }

  Server server() {
    Server started = open;
    if (started == null) {
      throw new IllegalStateException("there is no server outside a test");
    }
    return started;
  }

  /** The clock by which logins end. */
  ManualClock wall() {
    return wall;
  }

  String origin() {
    return "http://localhost:" + server().cosmos().orElseThrow().port();
  }

  /** Adds a user whose password is its name. */
  void user(String name, String role, String database) {
    Value roles =
        Value.array(
            List.of(Value.of(Document.writer().put("role", role).put("db", database).build())));
    server().mongo().users().add(new Identity("admin", name), name, roles);
  }

  /** Creates a collection of the MongoDB door with documents that expire after an hour. */
  void collection(String database, String name, int documents) {
    var created =
        server()
            .mayfly()
            .engine()
            .create(new Namespace(database, name), CollectionSpec.mongo().withDefaultTtl(3600));
    for (int i = 0; i < documents; i++) {
      created.insert(Document.writer().put("_id", name + "-" + i).put("n", i).build());
    }
  }
}
