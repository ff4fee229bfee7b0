package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.auth.Login;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.wire.Compressor;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code shutdown} by clients. */
final class ShutdownTest {
  private final Shell shell = new Shell();
  private final AtomicInteger stops = new AtomicInteger();

  @AfterEach
  void close() {
    shell.close();
  }

  private Document sent(String from, Login login, String database) {
    MongoSettings settings =
        MongoSettings.standard(() -> 0)
            .withLogin(login)
            .withWork(CommandSettings.STANDARD.withStop(stops::incrementAndGet));
    Document body = Shell.json("{'shutdown':1,'timeoutSecs':5,'$db':'" + database + "'}");
    DocumentWriter reply = Document.writer();
    MongoFrontend frontend = MongoFrontend.of(shell.engine(), settings);
    MongoBackend backend = new MongoBackend(frontend, shell.engine());
    new Dispatcher(frontend, MongoBackends.single(backend))
        .answer(
            new Client(9, from + ":50009", "127.0.0.1:27017"),
            new Message.Call(1, Compressor.NOOP, false, false, body, Map.of()),
            reply);
    return reply.build();
  }

  @Test
  void loopbackClientMayShutDown() {
    assertThat(sent("127.0.0.1", Login.REMOTE, "admin").field("ok").asDouble()).isOne();
    assertThat(stops).hasValue(1);
  }

  @Test
  void remoteClientMustLogInToShutDown() {
    assertThat(sent("10.0.0.1", Login.REMOTE, "admin").field("code").asInt()).isEqualTo(13);
    assertThat(sent("10.0.0.1", Login.NEVER, "admin").field("errmsg").asString())
        .isEqualTo("shutdown must run from localhost when running db without auth");
    assertThat(stops).hasValue(0);
  }

  @Test
  void shutdownRequiresTheAdminDatabase() {
    assertThat(sent("127.0.0.1", Login.REMOTE, "d").field("code").asInt()).isEqualTo(13);
    assertThat(stops).hasValue(0);
  }

  @Test
  void embeddedServerRejectsShutdown() {
    assertThat(shell.adminError("{'shutdown':1}"))
        .isEqualTo(
            "20 shutdown is not available: the server is embedded in a program, which has to"
                + " stop it");
  }

  @Test
  void logRotateAndConnPoolStatsAreSupported() {
    shell.admin("{'logRotate':1}");
    assertThat(shell.admin("{'connPoolStats':1}").field("totalCreated").asInt()).isZero();
  }
}
