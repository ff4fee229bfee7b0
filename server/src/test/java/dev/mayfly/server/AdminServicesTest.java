package dev.mayfly.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.http.Handler;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AdminServicesTest {
  @Test
  void startingAndStoppingServersAreHealthyButNotReady() {
    ServerSettings settings = ServerSettings.inMemory();
    try (Server server = Server.open(settings)) {
      AdminServices adminServices =
          new AdminServices(new ServedData.Own(server.mayfly()), server.mongo(), settings, "");
      Handler front = adminServices.before(new NotFoundHandler(), MasterKey.WELL_KNOWN, () -> 0);
      assertNotReady(front, "starting");

      adminServices.started();

      assertThat(request(front, "/readyz").status()).isEqualTo(200);

      adminServices.drain();

      assertNotReady(front, "stopping");
    }
  }

  private static void assertNotReady(Handler front, String reason) {
    Reply reply = request(front, "/readyz");
    assertThat(reply.status()).isEqualTo(503);
    assertThat(new String(reply.body(), UTF_8)).contains(reason);
    assertThat(request(front, "/healthz").status()).isEqualTo(200);
  }

  private static Reply request(Handler front, String path) {
    return front.handle(Request.of("GET", path, Map.of()));
  }
}
