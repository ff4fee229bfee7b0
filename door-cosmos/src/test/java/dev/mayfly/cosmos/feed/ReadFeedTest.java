package dev.mayfly.cosmos.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.item.Shop;
import dev.mayfly.cosmos.testing.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All items, a page at a time. */
final class ReadFeedTest {
  private final Shop shop = Shop.inMemory();

  @AfterEach
  void close() {
    shop.close();
  }

  private void items(int count) {
    shop.container(
        "{'id':'items','partitionKey':{'paths':['/pk'],'kind':'Hash','version':2},"
            + "'defaultTtl':-1}");
    for (int i = 0; i < count; i++) {
      String item = "{'id':'%02d','pk':'p%d','ttl':%d}".formatted(i, i % 3, 100 + i);
      shop.send("POST", Shop.DOCS, item, Shop.pk("p" + i % 3));
    }
  }

  private List<List<String>> pages(int most, String... headers) {
    List<List<String>> pages = new ArrayList<>();
    String next = "";
    do {
      List<String> all = new ArrayList<>(List.of(headers));
      all.add("x-ms-max-item-count: " + most);
      all.add("x-ms-continuation: " + next);
      Answer page = shop.get(Shop.DOCS, all.toArray(String[]::new));
      assertThat(page.status()).isEqualTo(200);
      assertThat(page.header("x-ms-item-count")).isEqualTo(Integer.toString(page.ids().size()));
      assertThat(page.at("_count").asInt()).isEqualTo(page.ids().size());
      pages.add(page.ids());
      next = page.header("x-ms-continuation");
    } while (!next.isEmpty());
    return pages;
  }

  @Test
  void pagesContainEachItemOnce() {
    items(10);
    List<List<String>> pages = pages(4);
    assertThat(pages).extracting(List::size).containsExactly(4, 4, 2);
    assertThat(pages.stream().flatMap(List::stream).sorted())
        .containsExactly("00", "01", "02", "03", "04", "05", "06", "07", "08", "09");
    assertThat(pages(5)).extracting(List::size).containsExactly(5, 5);
    assertThat(pages(-1)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-ms-start-epk: rose",
        "x-ms-start-epk: 0",
        "x-ms-end-epk: 0x20",
        "x-ms-end-epk: FFF",
        "x-ms-read-key-type: Rose"
      })
  void invalidEffectiveKeysAreRejected(String header) {
    items(1);
    for (String feed : List.of("a-im: ", "a-im: Incremental Feed")) {
      Answer refused = shop.get(Shop.DOCS, header, feed);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.string("message"))
          .startsWith("Value '" + header.substring(header.indexOf(' ') + 1) + "' specified");
    }
  }

  @Test
  void effectiveKeysMayBeInLowerCase() {
    items(4);
    String[] bounds = {
      "x-ms-start-epk: 00", "x-ms-end-epk: ff", "x-ms-read-key-type: EffectivePartitionKeyRange"
    };
    assertThat(shop.get(Shop.DOCS, bounds).ids()).hasSize(4);
  }

  @Test
  void pagesMayBeLimitedToAPartitionKey() {
    items(10);
    assertThat(pages(3, Shop.pk("p1"))).containsExactly(List.of("01", "04", "07"));
    assertThat(pages(2, Shop.pk("p1"))).containsExactly(List.of("01", "04"), List.of("07"));
    assertThat(pages(2, Shop.pk("p9"))).containsExactly(List.of());
  }

  @Test
  void rangesOfEffectiveKeysPartitionTheItems() {
    items(30);
    List<String> all = new ArrayList<>();
    String[] bounds = {"", "10", "22", "30", "FF"};
    for (int i = 0; i + 1 < bounds.length; i++) {
      String from = "x-ms-start-epk: " + bounds[i];
      String to = "x-ms-end-epk: " + bounds[i + 1];
      pages(100, from, to).forEach(all::addAll);
    }
    assertThat(all).hasSize(30).doesNotHaveDuplicates();
  }

  @Test
  void aContinuationSurvivesRestartsAndDeletes() {
    items(6);
    Answer first = shop.get(Shop.DOCS, "x-ms-max-item-count: 3");
    String last = first.ids().getLast();
    String key = Shop.pk("p" + Integer.parseInt(last) % 3);
    assertThat(shop.send("DELETE", Shop.DOCS + "/" + last, "", key).status()).isEqualTo(204);
    shop.restart();
    Answer second = shop.get(Shop.DOCS, "x-ms-continuation: " + first.header("x-ms-continuation"));
    assertThat(second.ids()).hasSize(3).doesNotContainAnyElementsOf(first.ids());
  }

  @Test
  void expiredItemsAreOmitted() {
    items(10);
    shop.advance(105);
    assertThat(shop.get(Shop.DOCS).ids()).containsExactlyInAnyOrder("06", "07", "08", "09");
  }

  @Test
  void anInvalidContinuationIsRejected() {
    items(1);
    for (String token : List.of("nonsense!", "e30", "AAAA")) {
      assertThat(shop.get(Shop.DOCS, "x-ms-continuation: " + token).status()).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "1.5", "99999999999"})
  void anInvalidPageSizeIsRejected(String size) {
    items(1);
    String[] pages = {"x-ms-max-item-count: " + size};
    String[] changes = {pages[0], "a-im: Incremental Feed"};
    String[] query = {pages[0], "x-ms-documentdb-isquery: true"};
    List<Answer> answers =
        List.of(
            shop.get(Shop.DOCS, pages),
            shop.get(Shop.DOCS, changes),
            shop.get("/dbs", pages),
            shop.send("POST", Shop.DOCS, "{'query':'SELECT * FROM c'}", query));
    assertThat(answers).extracting(Answer::status).containsOnly(400);
    assertThat(answers)
        .allSatisfy(
            answer -> assertThat(answer.string("message")).contains("'x-ms-max-item-count'", size));
    for (String any : List.of("", "-1", "0", " 5 ")) {
      assertThat(shop.get(Shop.DOCS, "x-ms-max-item-count: " + any).ids()).hasSize(1);
    }
  }

  @Test
  void anUnknownPartitionKeyRangeFailsWith410() {
    items(3);
    String header = "x-ms-documentdb-partitionkeyrangeid: ";
    assertThat(pages(5, header + "0")).hasSize(1);
    assertThat(pages(5, header + "AAAA,0")).hasSize(1);
    assertThat(pages(5, header)).hasSize(1);
    for (String other : List.of("1", "00", "AAAA,7")) {
      Answer gone = shop.get(Shop.DOCS, header + other);
      assertThat(gone.status()).isEqualTo(410);
      assertThat(gone.header("x-ms-substatus")).isEqualTo("1002");
      assertThat(gone.string("code")).isEqualTo("Gone");
      String[] changes = {header + other, "a-im: Incremental Feed"};
      assertThat(shop.get(Shop.DOCS, changes).status()).isEqualTo(410);
      String[] query = {header + other, "x-ms-documentdb-isquery: true"};
      assertThat(shop.send("POST", Shop.DOCS, "{'query':'SELECT * FROM c'}", query).status())
          .isEqualTo(410);
      String[] bulk = {header + other, "x-ms-cosmos-is-batch-request: true"};
      assertThat(shop.send("POST", Shop.DOCS, "[]", bulk).status()).isEqualTo(410);
    }
  }
}
