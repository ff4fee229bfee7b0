package dev.mayfly.cosmos.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.item.Shop;
import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every version of every item, and every end of one. */
final class VersionFeedTest {
  private static final String X = Shop.pk("x");
  private static final String ITEM = Shop.DOCS + "/1";
  private static final String RETENTION =
      "You must read the change feed from within the retention period.";

  private final Shop shop = Shop.inMemory();

  @AfterEach
  void close() {
    shop.close();
  }

  private void container() {
    shop.container("{'id':'items','partitionKey':{'paths':['/pk'],'kind':'Hash'},'defaultTtl':10}");
  }

  private Answer versions(String... headers) {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add("A-IM: Full-Fidelity Feed");
    all.add("x-ms-cosmos-changefeed-wire-format-version: 2021-09-15");
    return shop.get(Shop.DOCS, all.toArray(String[]::new));
  }

  private static Value at(Document change, String path) {
    return change.at(FieldPath.of(path));
  }

  @Test
  void everyChangeHasCurrentAndPreviousItem() {
    container();
    shop.send("POST", Shop.DOCS, "{'id':'0','pk':'x'}", X);
    Answer now = versions("If-None-Match: *");
    assertThat(now.status()).isEqualTo(304);
    Document made = shop.send("POST", Shop.DOCS, "{'id':'1','pk':'x','n':1}", X).body();
    Document replaced = shop.send("PUT", ITEM, "{'id':'1','pk':'x','n':2}", X).body();
    shop.send("DELETE", ITEM, "", X);
    Answer page = versions("If-None-Match: " + now.header("etag"));
    List<Document> changes = page.list("Documents");
    assertThat(changes)
        .extracting(change -> at(change, "metadata.operationType").asString())
        .containsExactly("create", "replace", "delete");
    assertThat(at(changes.get(0), "current").asDocument()).isEqualTo(made);
    assertThat(at(changes.get(0), "previous").isMissing()).isTrue();
    assertThat(at(changes.get(1), "current._etag")).isEqualTo(replaced.field("_etag"));
    assertThat(at(changes.get(1), "current.n")).isEqualTo(Value.of(2L));
    assertThat(at(changes.get(1), "previous.n")).isEqualTo(Value.of(1L));
    Document deleted = changes.get(2);
    assertThat(at(deleted, "current").asDocument().isEmpty()).isTrue();
    assertThat(at(deleted, "previous.n")).isEqualTo(Value.of(2L));
    assertThat(at(deleted, "metadata.id").asString()).isEqualTo("1");
    assertThat(at(deleted, "metadata.partitionKey.pk").asString()).isEqualTo("x");
    assertThat(at(deleted, "metadata.crts").asLong()).isEqualTo(shop.seconds());
    assertThat(at(deleted, "metadata.timeToLiveExpired").isMissing()).isTrue();
    assertThat(versions("If-None-Match: " + page.header("etag")).status()).isEqualTo(304);
  }

  @Test
  void anExpiryIsADeleteWithTimeToLiveExpired() {
    container();
    Answer now = versions("If-None-Match: *");
    shop.send("POST", Shop.DOCS, "{'id':'1','pk':'x','n':1}", X);
    shop.advance(10);
    shop.engine().workUntilIdle();
    List<Document> changes = versions("If-None-Match: " + now.header("etag")).list("Documents");
    assertThat(changes).hasSize(2);
    Document expired = changes.getLast();
    assertThat(at(expired, "metadata.operationType").asString()).isEqualTo("delete");
    assertThat(at(expired, "metadata.timeToLiveExpired").asBoolean()).isTrue();
    assertThat(at(expired, "metadata.crts").asLong()).isEqualTo(shop.seconds());
    assertThat(at(expired, "previous.n")).isEqualTo(Value.of(1L));
  }

  @Test
  void anExpiryComesBeforeTheNextItemWithTheId() {
    container();
    Answer now = versions("If-None-Match: *");
    shop.send("POST", Shop.DOCS, "{'id':'1','pk':'x','n':1}", X);
    shop.advance(10);
    shop.send("POST", Shop.DOCS, "{'id':'1','pk':'x','n':2}", X);
    assertThat(versions("If-None-Match: " + now.header("etag")).list("Documents"))
        .extracting(change -> at(change, "metadata.operationType").asString())
        .containsExactly("create", "delete", "create");
  }

  @Test
  void readsStartNowOrAtAContinuation() {
    container();
    Answer beginning = versions();
    assertThat(beginning.status()).isEqualTo(400);
    assertThat(beginning.string("message")).contains(RETENTION);
    String since = "If-Modified-Since: Sun, 15 Nov 2026 00:00:00 GMT";
    assertThat(versions(since).string("message")).contains(RETENTION);
    shop.send("POST", Shop.DOCS, "{'id':'1','pk':'x'}", X);
    Answer now = versions("If-None-Match: *");
    shop.send("DELETE", ITEM, "", X);
    shop.advance(3 * 24 * 3600);
    shop.engine().workUntilIdle();
    shop.send("POST", Shop.DOCS, "{'id':'1','pk':'x'}", X);
    // what a client has missed for too long it is not kept from knowing
    Answer missed = versions("If-None-Match: " + now.header("etag"));
    assertThat(missed.status()).isEqualTo(400);
    assertThat(missed.string("message")).contains(RETENTION);
  }

  @Test
  void pagesMayBeLimitedToAPartitionKey() {
    container();
    Answer now = versions("If-None-Match: *");
    shop.send("POST", Shop.DOCS, "{'id':'1','pk':'x'}", X);
    shop.send("POST", Shop.DOCS, "{'id':'1','pk':'y'}", Shop.pk("y"));
    shop.send("POST", Shop.DOCS, "{'id':'2','pk':'x'}", X);
    Answer page = versions("If-None-Match: " + now.header("etag"), X, "x-ms-max-item-count: 1");
    assertThat(page.list("Documents")).hasSize(1);
    page = versions("If-None-Match: " + page.header("etag"), X);
    assertThat(page.list("Documents"))
        .extracting(change -> at(change, "metadata.id").asString())
        .containsExactly("2");
  }
}
