package dev.mayfly.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The front of the door with several engines, and with none. */
final class DispatcherTest {
  private final ManualClock clock = new ManualClock(Desk.START);
  private final MasterKey key = new MasterKey(MasterKey.WELL_KNOWN);
  private final ResourceTokens tokens = new ResourceTokens(key, clock);
  private final Engine salesEngine = engine();
  private final Engine stockEngine = engine();
  private final Backend sales = backend(salesEngine);
  private final Backend stock = backend(stockEngine);
  private final Dispatcher door =
      front(database -> Optional.ofNullable(Map.of("sales", sales, "stock", stock).get(database)));

  private Engine engine() {
    return LocalEngine.open(
        new MemoryStore(), clock, EngineSettings.standard(() -> 0).withBackground(false));
  }

  private Backend backend(Engine engine) {
    Backend backend = Backend.open(engine, CosmosSettings.standard(clock), tokens);
    String database = "{\"id\": \"" + (engine.equals(salesEngine) ? "sales" : "stock") + "\"}";
    front(Backends.single(backend)).handle(Desk.signed("POST", "/dbs", database));
    return backend;
  }

  private Dispatcher front(Backends backends) {
    return new Dispatcher(
        new Guard(new Signatures(key, clock, Optional.empty()), tokens, Optional.empty()),
        backends,
        clock,
        false);
  }

  @AfterEach
  void close() {
    sales.close();
    stock.close();
    salesEngine.close();
    stockEngine.close();
  }

  @Test
  void aRequestIsServedByTheEngineThatOwnsItsDatabase() {
    assertThat(post("/dbs/sales/colls", "{\"id\": \"orders\"}").status()).isEqualTo(201);
    assertThat(post("/dbs/stock/colls", "{\"id\": \"parts\"}").status()).isEqualTo(201);
    assertThat(salesEngine.namespaces()).anyMatch(one -> one.collection().equals("orders"));
    assertThat(salesEngine.namespaces()).noneMatch(one -> one.collection().equals("parts"));
    assertThat(stockEngine.namespaces()).anyMatch(one -> one.collection().equals("parts"));
  }

  @Test
  void aResourceTokenIsCheckedByTheEngineThatStoresItsPermission() {
    post("/dbs/sales/colls", "{\"id\": \"orders\"}");
    post("/dbs/sales/users", "{\"id\": \"ann\"}");
    String permission =
        "{\"id\": \"p\", \"permissionMode\": \"Read\", \"resource\": \"dbs/sales/colls/orders\"}";
    Document issued = json(post("/dbs/sales/users/ann/permissions", permission));
    Map<String, String> bearer = Map.of("authorization", issued.field("_token").asString());
    assertThat(status(Request.of("GET", "/dbs/sales/colls/orders", bearer))).isEqualTo(200);
    assertThat(status(Request.of("GET", "/", bearer))).isEqualTo(200);
    assertThat(status(Request.of("GET", "/dbs/stock", bearer))).isEqualTo(403);
  }

  @Test
  void aServerWithoutEnginesServesTheAccount() {
    Dispatcher empty = front(_ -> Optional.empty());
    assertThat(empty.handle(Desk.signed("GET", "/", "")).status()).isEqualTo(200);
    assertThat(empty.handle(Desk.signed("GET", "/dbs/sales", "")).status()).isEqualTo(404);
  }

  /** {@link CosmosSettings#standard} has synced writes: only the reply waits for the flush. */
  @Test
  void aSyncedWriteOfOneItemRunsOnTheEventLoop() {
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

  private Reply post(String path, String body) {
    return door.handle(Desk.signed("POST", path, body));
  }

  private int status(Request request) {
    return door.handle(request).status();
  }

  private static Document json(Reply reply) {
    return Json.parse(reply.body(), Limits.COSMOS);
  }
}
