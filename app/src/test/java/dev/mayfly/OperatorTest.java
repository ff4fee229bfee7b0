package dev.mayfly;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.cosmos.http.Handler;
import dev.mayfly.cosmos.http.Reply;
import dev.mayfly.cosmos.http.Request;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OperatorTest {
  @Test
  void aServerThatIsStoppingIsNotReadyThoughItLives() {
    ServerSettings settings = ServerSettings.inMemory();
    try (Server server = Server.open(settings)) {
      Operator operator = new Operator(server.mayfly(), server.mongo(), settings);
      Handler front = operator.before(new NothingHere(), MasterKey.WELL_KNOWN, () -> 0);
      assertThat(ask(front, "/readyz").status()).isEqualTo(200);

      operator.drain();

      Reply reply = ask(front, "/readyz");
      assertThat(reply.status()).isEqualTo(503);
      assertThat(new String(reply.body(), UTF_8)).contains("stopping");
      assertThat(ask(front, "/healthz").status()).isEqualTo(200);
    }
  }

  private static Reply ask(Handler front, String path) {
    return front.handle(Request.of("GET", path, Map.of()));
  }
}
