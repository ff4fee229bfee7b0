package dev.mayfly.cosmos.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.cosmos.testing.Desk;
import dev.mayfly.engine.Durability;
import dev.mayfly.value.Document;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A request uses one instant: here every look at the clock moves it by a second. */
final class OneInstantTest {
  private static final String ITEMS = "/dbs/shop/colls/carts/docs";
  private static final String KEY = "x-ms-documentdb-partitionkey: [\"a\"]";

  private final Desk desk = Desk.open(settings -> settings.withDurability(Durability.LOGGED));

  @BeforeEach
  void makeContainer() {
    desk.post("/dbs", "{\"id\": \"shop\"}");
    desk.post(
        "/dbs/shop/colls",
        "{\"id\": \"carts\", \"defaultTtl\": 2, \"partitionKey\":"
            + " {\"paths\": [\"/p\"], \"kind\": \"Hash\"}}");
    desk.tick(Duration.ofSeconds(1));
  }

  @AfterEach
  void close() {
    desk.close();
  }

  /** Sends a request that succeeds and looks at the clock once. */
  private Answer once(Supplier<Answer> request) {
    long before = desk.now();
    Answer answer = request.get();
    assertThat(answer.status()).describedAs(answer.text()).isLessThan(300);
    assertThat(desk.now() - before).describedAs(answer.text()).isEqualTo(1_000);
    return answer;
  }

  private Answer create(String id) {
    return once(() -> desk.post(ITEMS, "{\"id\": \"" + id + "\", \"p\": \"a\"}", KEY));
  }

  private Answer read(String id) {
    return desk.get(ITEMS + "/" + id, KEY);
  }

  private Answer query(String text) {
    return desk.post(
        ITEMS,
        "{\"query\": \"" + text + "\"}",
        "content-type: application/query+json",
        "x-ms-documentdb-isquery: true",
        KEY);
  }

  @Test
  void requestsForItemsLookAtTheClockOnce() {
    String item = "{\"id\": \"1\", \"p\": \"a\", \"n\": 1}";
    create("1");
    once(() -> read("1"));
    once(() -> desk.post(ITEMS, item, KEY, "x-ms-documentdb-is-upsert: true"));
    once(() -> desk.put(ITEMS + "/1", item, KEY));
    once(
        () ->
            desk.send(
                "PATCH",
                ITEMS + "/1",
                "{\"operations\": [{\"op\": \"incr\", \"path\": \"/n\", \"value\": 1}]}",
                KEY));
    once(() -> query("SELECT * FROM c WHERE c.n > 0 ORDER BY c.n"));
    once(() -> query("SELECT VALUE COUNT(1) FROM c"));
    once(() -> desk.get(ITEMS, KEY));
    create("2");
    once(() -> desk.delete(ITEMS + "/2", KEY));
  }

  @Test
  void reportsOfExpiryAndSizeLookAtTheClockOnce() {
    create("1");
    once(() -> desk.get(ITEMS + "/1", KEY, "x-mayfly-explain-expiry: true"));
    String container = ITEMS.substring(0, ITEMS.lastIndexOf('/'));
    once(() -> desk.get(container + "/forecast"));
    once(
        () ->
            desk.get(
                container,
                "x-ms-documentdb-populatequotainfo: true",
                "x-ms-documentdb-populatepartitionstatistics: true"));
  }

  @Test
  void itemExpiresAtTheInstantThatItsTimestampPromises() {
    long written = create("1").body().field("_ts").asLong();
    assertThat(written).isEqualTo(desk.now() / 1_000);
    Document found = once(() -> read("1")).body();
    assertThat(found.field("_ts").asLong()).isEqualTo(written);
    // the deadline: written + 2 seconds
    assertThat(read("1").status()).isEqualTo(404);
  }

  @Test
  void queryComparesWithTheInstantAtWhichItsItemsAreLive() {
    create("1");
    Answer found = once(() -> query("SELECT VALUE GetCurrentTimestamp() - 1000 * c._ts FROM c"));
    assertThat(found.text()).contains("[1000]");
  }
}
