package dev.mayfly.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cluster.Cell;
import dev.mayfly.cluster.Cells;
import dev.mayfly.cosmos.account.Account;
import dev.mayfly.cosmos.auth.Guard;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.cosmos.auth.ResourceTokens;
import dev.mayfly.cosmos.auth.Signatures;
import dev.mayfly.cosmos.testing.Desk;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.http.PendingReply;
import dev.mayfly.store.MemoryStore;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the door does on the event loop. */
final class DispatcherTest {
  private final ManualClock clock = new ManualClock(Desk.START);
  private final MasterKey key = new MasterKey(MasterKey.WELL_KNOWN);
  private final ResourceTokens tokens = new ResourceTokens(key, clock);
  private final Engine engine =
      LocalEngine.open(
          new MemoryStore(), clock, EngineSettings.standard(() -> 0).withBackground(false));
  private final Cells cells = Cells.single(engine);
  private final Backends backends =
      new OneBackend(Backend.open(engine, Cell.HOME, CosmosSettings.standard(clock), tokens));
  private final Dispatcher door =
      new Dispatcher(
          new Guard(new Signatures(key, clock, Optional.empty()), tokens, Optional.empty()),
          backends,
          new Account(cells),
          clock,
          false);

  @AfterEach
  void close() {
    backends.close();
    engine.close();
  }

  /** {@link CosmosSettings#standard} has synced writes: only the reply waits for the flush. */
  @Test
  void aSyncedWriteOfOneItemRunsOnTheEventLoop() {
    post("/dbs", "{\"id\": \"sales\"}");
    post("/dbs/sales/colls", "{\"id\": \"orders\"}");
    String items = "/dbs/sales/colls/orders/docs";
    assertThat(inline("POST", items, "{\"id\": \"a\", \"n\": 1}")).isEqualTo(201);
    assertThat(inline("PUT", items + "/a", "{\"id\": \"a\", \"n\": 2}")).isEqualTo(200);
    assertThat(
            inline("PATCH", items + "/a", "[{\"op\": \"incr\", \"path\": \"/n\", \"value\": 1}]"))
        .isEqualTo(200);
    assertThat(inline("DELETE", items + "/a", "")).isEqualTo(204);
  }

  /** The status of a reply that needs no thread of its own; 0 if the request does. */
  private int inline(String method, String path, String body) {
    return door.tryBegin(Desk.signed(method, path, body))
        .filter(PendingReply::tryComplete)
        .map(reply -> reply.reply().status())
        .orElse(0);
  }

  private void post(String path, String body) {
    assertThat(door.handle(Desk.signed("POST", path, body)).status()).isEqualTo(201);
  }
}
