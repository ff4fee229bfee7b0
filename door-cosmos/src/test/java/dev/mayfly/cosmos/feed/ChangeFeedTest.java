package dev.mayfly.cosmos.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.item.Shop;
import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.engine.Namespace;
import dev.mayfly.value.Document;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Items in the order of their last changes. */
class ChangeFeedTest {
  private static final String INCREMENTAL = "A-IM: Incremental Feed";
  private static final long DAY = 24 * 3600;

  private final Shop shop = open();

  Shop open() {
    return Shop.inMemory();
  }

  @AfterEach
  void close() {
    shop.close();
  }

  private void container(String defaultTtl) {
    shop.container(
        "{'id':'items','partitionKey':{'paths':['/pk'],'kind':'Hash','version':2},'defaultTtl':"
            + defaultTtl
            + "}");
  }

  private void put(String... ids) {
    for (String id : ids) {
      String pk = id.substring(0, 1);
      Answer written =
          shop.send(
              "POST",
              Shop.DOCS,
              "{'id':'" + id + "','pk':'" + pk + "'}",
              Shop.pk(pk),
              "x-ms-documentdb-is-upsert: true");
      assertThat(written.status()).isIn(200, 201);
    }
  }

  private void delete(String id) {
    String key = Shop.pk(id.substring(0, 1));
    assertThat(shop.send("DELETE", Shop.DOCS + "/" + id, "", key).status()).isEqualTo(204);
  }

  private Answer changes(String... headers) {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add(INCREMENTAL);
    return shop.get(Shop.DOCS, all.toArray(String[]::new));
  }

  private Answer after(Answer last, String... headers) {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add("If-None-Match: " + last.header("etag"));
    return changes(all.toArray(String[]::new));
  }

  /** Reads all pages from the start that the headers specify. */
  private List<String> drain(String... headers) {
    List<String> ids = new ArrayList<>();
    Answer page = changes(headers);
    while (page.status() == 200) {
      ids.addAll(page.ids());
      page = after(page);
    }
    assertThat(page.status()).isEqualTo(304);
    assertThat(page.header("etag")).isNotEmpty();
    return ids;
  }

  @Test
  void eachItemIsReturnedOnceAtItsLastChange() {
    container("-1");
    put("a1", "b1", "c1", "a1", "d1");
    delete("c1");
    put("b1");
    assertThat(drain()).containsExactly("a1", "d1", "b1");
    Answer first = changes();
    assertThat(first.list("Documents").getFirst().field("_lsn").asLong()).isPositive();
    assertThat(after(first).status()).isEqualTo(304);
    put("c1", "a1");
    Answer second = after(first);
    assertThat(second.ids()).containsExactly("c1", "a1");
    assertThat(after(second).status()).isEqualTo(304);
  }

  @Test
  void theAllVersionsFormatSeparatesItemAndMetadata() {
    container("-1");
    put("a1");
    Document plain = changes().list("Documents").getFirst();
    Document changed =
        changes("x-ms-cosmos-changefeed-wire-format-version: 2021-09-15")
            .list("Documents")
            .getFirst();
    Document current = changed.field("current").asDocument();
    assertThat(current.field("id").asString()).isEqualTo("a1");
    assertThat(current.field("_etag")).isEqualTo(plain.field("_etag"));
    assertThat(current.field("_lsn").isMissing()).isTrue();
    Document metadata = changed.field("metadata").asDocument();
    assertThat(metadata.field("lsn").asLong()).isEqualTo(plain.field("_lsn").asLong());
    assertThat(metadata.field("crts").asLong()).isEqualTo(plain.field("_ts").asLong());
    assertThat(metadata.field("operationType").isMissing()).isTrue();
  }

  @Test
  void pagesHaveTheRequestedSize() {
    container("-1");
    put("a1", "a2", "a3", "a4", "a5");
    Answer page = changes("x-ms-max-item-count: 2");
    assertThat(page.ids()).containsExactly("a1", "a2");
    page = after(page, "x-ms-max-item-count: 2");
    assertThat(page.ids()).containsExactly("a3", "a4");
    put("a3");
    page = after(page, "x-ms-max-item-count: 2");
    assertThat(page.ids()).containsExactly("a5", "a3");
    assertThat(after(page).status()).isEqualTo(304);
  }

  @Test
  void startingNowReturnsLaterChanges() {
    container("-1");
    put("a1");
    Answer now = changes("If-None-Match: *");
    assertThat(now.status()).isEqualTo(304);
    assertThat(after(now).status()).isEqualTo(304);
    put("a2");
    assertThat(after(now).ids()).containsExactly("a2");
  }

  @Test
  void startingAtAnInstantReturnsLaterChanges() {
    container("-1");
    put("a1", "a2");
    shop.advance(10);
    long instant = shop.seconds();
    put("a3", "a1");
    shop.advance(10);
    put("a4");
    assertThat(drain(since(instant))).containsExactly("a3", "a1", "a4");
    assertThat(drain(since(instant + 1))).containsExactly("a4");
    assertThat(drain(since(instant - 10))).containsExactly("a2", "a3", "a1", "a4");
    assertThat(drain(since(instant + 100))).isEmpty();
    assertThat(changes("If-Modified-Since: yesterday").status()).isEqualTo(400);
  }

  private static String since(long seconds) {
    return "If-Modified-Since: "
        + DateTimeFormatter.RFC_1123_DATE_TIME.format(
            Instant.ofEpochSecond(seconds).atZone(ZoneOffset.UTC));
  }

  @Test
  void aChangeFeedMayBeLimitedToAKeyOrRange() {
    container("-1");
    put("a1", "b1", "a2", "b2");
    Answer page = changes(Shop.pk("b"));
    assertThat(page.ids()).containsExactly("b1", "b2");
    assertThat(after(page, Shop.pk("b")).status()).isEqualTo(304);
    put("a3");
    assertThat(after(page, Shop.pk("b")).status()).isEqualTo(304);
    List<String> both = new ArrayList<>();
    both.addAll(ids(changes("x-ms-start-epk: ", "x-ms-end-epk: 20")));
    both.addAll(ids(changes("x-ms-start-epk: 20", "x-ms-end-epk: FF")));
    assertThat(both).containsExactlyInAnyOrder("a1", "a2", "a3", "b1", "b2");
  }

  private static List<String> ids(Answer page) {
    return page.status() == 304 ? List.of() : page.ids();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void expiredItemsAreNotInTheChangeFeed(boolean swept) {
    container("10");
    put("a1");
    shop.advance(5);
    put("a2");
    shop.advance(5);
    if (swept) {
      shop.engine().workUntilIdle();
    }
    assertThat(drain()).containsExactly("a2");
    shop.advance(5);
    assertThat(changes().status()).isEqualTo(304);
  }

  @Test
  void theBeginningIsReadableAfterTheFeedIsTrimmed() {
    container(Long.toString(100 * DAY));
    put("c1", "b1", "a1", "d1");
    shop.advance(10);
    put("b1");
    Answer old = changes("x-ms-max-item-count: 1");
    shop.advance(3 * DAY);
    shop.engine().workUntilIdle();
    put("e1");
    assertThat(shop.engine().collection(items()).feeds().getFirst().oldest()).isPositive();
    assertThat(drain()).containsExactly("c1", "a1", "d1", "b1", "e1");
    assertThat(drain("If-None-Match: " + old.header("etag")))
        .containsExactly("a1", "d1", "b1", "e1");
    // an item of the backlog that is written to goes to the end
    Answer page = changes("x-ms-max-item-count: 2");
    assertThat(page.ids()).containsExactly("c1", "a1");
    put("d1");
    delete("b1");
    assertThat(drain("If-None-Match: " + page.header("etag"))).containsExactly("e1", "d1");
    shop.restart();
    assertThat(drain("If-None-Match: " + page.header("etag"))).containsExactly("e1", "d1");
  }

  private static Namespace items() {
    return new Namespace("cosmos:db", "items");
  }

  @Test
  void anInstantBeforeTheTrimmedFeedIsFoundByAScan() {
    container("-1");
    put("a1", "a2");
    shop.advance(10);
    long instant = shop.seconds();
    put("a3", "a1");
    shop.advance(3 * DAY);
    shop.engine().workUntilIdle();
    put("a4");
    assertThat(drain(since(instant))).containsExactly("a3", "a1", "a4");
    assertThat(drain(since(instant - 10))).containsExactly("a2", "a3", "a1", "a4");
  }

  @Test
  void aReaderMissesNothingOfConcurrentWriters() throws Exception {
    container("-1");
    put("a0");
    Map<String, String> seen = new HashMap<>();
    try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> writers = new ArrayList<>();
      for (int writer = 0; writer < 4; writer++) {
        int first = writer;
        writers.add(
            clients.submit(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    put("a" + (first * 3 + i) % 10);
                  }
                }));
      }
      Answer page = changes("x-ms-max-item-count: 7");
      boolean writing = true;
      while (writing || page.status() == 200) {
        // looked at before the page that is to be the last one
        writing = !writers.stream().allMatch(Future::isDone);
        if (page.status() == 200) {
          page.list("Documents").forEach(item -> seen.put(text(item, "id"), text(item, "_etag")));
        }
        page = after(page, "x-ms-max-item-count: 7");
      }
      for (Future<?> writer : writers) {
        writer.get(1, TimeUnit.MINUTES);
      }
    }
    Map<String, String> stored = new HashMap<>();
    shop.get(Shop.DOCS)
        .list("Documents")
        .forEach(item -> stored.put(text(item, "id"), text(item, "_etag")));
    assertThat(stored).hasSize(10);
    assertThat(seen).isEqualTo(stored);
  }

  private static String text(Document item, String name) {
    return item.field(name).asString();
  }

  @Test
  void anInvalidContinuationIsRejected() {
    container("-1");
    assertThat(changes("If-None-Match: nonsense").status()).isEqualTo(400);
  }
}
