package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.Clock;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.wire.Compressor;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One frontend with two backends: each database is served by one of two engines. */
final class MongoBackendTest {
  private final Engine first = open();
  private final Engine second = open();
  private final MongoFrontend frontend = MongoFrontend.of(first, MongoSettings.standard(() -> 0));
  private final MongoBackend ofFirst = new MongoBackend(frontend, first);
  private final MongoBackend ofSecond = new MongoBackend(frontend, second);
  private final Client client = new Client(1, "127.0.0.1:50000", "127.0.0.1:27017");
  private final Dispatcher dispatcher = new Dispatcher(frontend, byDatabase());

  private static Engine open() {
    Clock clock = () -> Shell.START;
    return LocalEngine.open(
        MemoryStore.withFilters(), clock, EngineSettings.standard(() -> 0).withBackground(false));
  }

  private MongoBackends byDatabase() {
    return new MongoBackends() {
      @Override
      public MongoBackend of(String database) {
        return database.equals("second") ? ofSecond : ofFirst;
      }

      @Override
      public Collection<MongoBackend> all() {
        return List.of(ofFirst, ofSecond);
      }
    };
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
  }

  private Document run(String database, String command) {
    Document body =
        Shell.json(command.substring(0, command.length() - 1) + ",'$db':'" + database + "'}");
    DocumentWriter reply = Document.writer();
    dispatcher.answer(
        client, new Message.Call(1, Compressor.NOOP, false, false, body, Map.of()), reply);
    Document made = reply.build();
    assertThat(made.field("ok").asDouble()).describedAs(made.toString()).isEqualTo(1);
    return made;
  }

  @Test
  void databaseIsStoredInItsEngine() {
    run("first", "{'insert':'c','documents':[{'_id':1}]}");
    run("second", "{'insert':'c','documents':[{'_id':1},{'_id':2}]}");
    assertThat(first.namespaces()).containsExactly(new Namespace("first", "c"));
    assertThat(second.namespaces()).containsExactly(new Namespace("second", "c"));
    assertThat(run("second", "{'count':'c'}").field("n").asInt()).isEqualTo(2);
    assertThat(run("first", "{'count':'c'}").field("n").asInt()).isEqualTo(1);
  }

  @Test
  void cursorsAndSessionsBelongToTheirBackend() {
    run("second", "{'insert':'c','documents':[{'_id':1},{'_id':2}]}");
    Document cursor =
        run("second", "{'find':'c','batchSize':1," + Shell.LSID + "}").field("cursor").asDocument();
    assertThat(ofFirst.cursors().size()).isZero();
    assertThat(ofSecond.cursors().size()).isEqualTo(1);
    assertThat(ofFirst.sessions().all()).isEmpty();
    assertThat(ofSecond.sessions().all()).hasSize(1);
    assertThat(run("second", Shell.getMore(cursor, "," + Shell.LSID)).field("cursor").asDocument())
        .matches(more -> Shell.batch(more).equals(List.of("{'_id':2}")));
  }

  @Test
  void writeLockAppliesToOneBackend() {
    run("admin", "{'fsync':1,'lock':true}");
    run("second", "{'insert':'c','documents':[{'_id':1}]}");
    run("admin", "{'fsyncUnlock':1}");
  }

  @Test
  void usersTopologyAndCountersAreShared() {
    run("second", "{'createUser':'u','pwd':'p','roles':[]}");
    assertThat(run("second", "{'usersInfo':'u'}").field("users").asDocument().isEmpty()).isFalse();
    assertThat(first.namespaces()).contains(new Namespace("admin", "system.users"));
    assertThat(second.namespaces()).isEmpty();
    assertThat(run("first", "{'hello':1}").field("topologyVersion"))
        .isEqualTo(run("second", "{'hello':1}").field("topologyVersion"));
  }
}
