package dev.mayfly.cosmos.attachment;

import static dev.mayfly.cosmos.item.Shop.DOCS;
import static dev.mayfly.cosmos.item.Shop.pk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cluster.Cell;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.container.Metadata;
import dev.mayfly.cosmos.item.Shop;
import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.value.Document;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What hangs on items: described or uploaded, and gone with its item. */
final class AttachmentsTest {
  private static final String OF_A = DOCS + "/a/attachments";
  private static final String LINK =
      "{'id':'book','contentType':'text/plain','media':'https://example.com/b','author':'Eco'}";

  private final Shop shop = Shop.inMemory();

  @BeforeEach
  void makeContainer() {
    shop.container("{'id':'items','partitionKey':{'paths':['/pk']},'defaultTtl':-1}");
    item("a", "");
  }

  @AfterEach
  void close() {
    shop.close();
  }

  private void item(String id, String more) {
    Answer made = shop.send("POST", DOCS, "{'id':'" + id + "','pk':'p'" + more + "}", pk("p"));
    assertThat(made.status()).isEqualTo(201);
  }

  private Answer upload(String name, String text, String... headers) {
    String[] all = Arrays.copyOf(headers, headers.length + 3);
    all[headers.length] = "slug: " + name;
    all[headers.length + 1] = "content-type: text/plain";
    all[headers.length + 2] = pk("p");
    return shop.raw("POST", OF_A, text, all);
  }

  private List<String> names(Answer list) {
    return list.list("Attachments").stream().map(one -> one.field("id").asString()).toList();
  }

  @Test
  void anAttachmentWithALinkIsStoredUnchanged() {
    Answer made = shop.send("POST", OF_A, LINK, pk("p"));
    assertThat(made.status()).isEqualTo(201);
    Answer read = shop.get(OF_A + "/book", pk("p"));
    assertThat(read.string("author")).isEqualTo("Eco");
    assertThat(read.string("media")).isEqualTo("https://example.com/b");
    assertThat(read.header("etag")).isEqualTo(read.string("_etag")).isNotEmpty();
    assertThat(shop.get(Shop.self(made.body()), pk("p")).body()).isEqualTo(read.body());
    assertThat(shop.send("POST", OF_A, LINK, pk("p")).status()).isEqualTo(409);
  }

  @Test
  void aRenamedItemKeepsItsAttachments() {
    Answer made = shop.send("POST", OF_A, LINK, pk("p"));
    Answer media = upload("cover", "red");
    shop.send("PUT", DOCS + "/a", "{'id':'b','pk':'p'}", pk("p"));
    item("a", "");
    collect();
    assertThat(names(shop.get(DOCS + "/b/attachments", pk("p")))).containsExactly("book", "cover");
    assertThat(names(shop.get(OF_A, pk("p")))).isEmpty();
    assertThat(shop.get(Shop.self(made.body()), pk("p")).string("author")).isEqualTo("Eco");
    assertThat(shop.get(media.string("media")).text()).isEqualTo("red");
    shop.send("DELETE", DOCS + "/b", "", pk("p"));
    assertThat(shop.get(media.string("media")).status()).isEqualTo(404);
  }

  @Test
  void replacingAndDeletingAttachmentsChecksIfMatch() {
    String etag = shop.send("POST", OF_A, LINK, pk("p")).string("_etag");
    String other = LINK.replace("Eco", "Poe");
    Answer replaced = shop.send("PUT", OF_A + "/book", other, pk("p"), "if-match: " + etag);
    assertThat(replaced.status()).isEqualTo(200);
    assertThat(replaced.string("author")).isEqualTo("Poe");
    assertThat(shop.send("PUT", OF_A + "/book", LINK, pk("p"), "if-match: " + etag).status())
        .isEqualTo(412);
    assertThat(shop.send("PUT", OF_A + "/none", LINK, pk("p")).status()).isEqualTo(404);
    assertThat(shop.send("DELETE", OF_A + "/book", "", pk("p"), "if-match: " + etag).status())
        .isEqualTo(412);
    assertThat(shop.send("DELETE", OF_A + "/book", "", pk("p")).status()).isEqualTo(204);
    assertThat(shop.get(OF_A + "/book", pk("p")).status()).isEqualTo(404);
  }

  @Test
  void anUpsertCreatesOrReplacesAnAttachment() {
    String upsert = "x-ms-documentdb-is-upsert: true";
    assertThat(shop.send("POST", OF_A, LINK, pk("p"), upsert).status()).isEqualTo(201);
    assertThat(shop.send("POST", OF_A, LINK, pk("p"), upsert).status()).isEqualTo(200);
  }

  @Test
  void attachmentsAreListedAndQueriedByItem() {
    item("b", "");
    shop.send("POST", OF_A, LINK, pk("p"));
    upload("photo", "x");
    shop.send("POST", DOCS + "/b/attachments", LINK, pk("p"));
    assertThat(names(shop.get(OF_A, pk("p")))).containsExactly("book", "photo");
    Answer page = shop.get(OF_A, pk("p"), "x-ms-max-item-count: 1");
    assertThat(names(page)).containsExactly("book");
    String next = "x-ms-continuation: " + page.header("x-ms-continuation");
    assertThat(names(shop.get(OF_A, pk("p"), next))).containsExactly("photo");
    Answer found =
        shop.raw(
            "POST",
            OF_A,
            "{\"query\":\"SELECT * FROM a WHERE a.author = 'Eco'\"}",
            pk("p"),
            "content-type: application/query+json",
            "x-ms-documentdb-isquery: true");
    assertThat(names(found)).containsExactly("book");
  }

  @Test
  void uploadedMediaAreReadUnchanged() {
    Answer made = upload("photo", "first");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.string("contentType")).isEqualTo("text/plain");
    Answer media = media(made.body());
    assertThat(media.text()).isEqualTo("first");
    assertThat(media.header("content-type")).isEqualTo("text/plain");
    assertThat(upload("photo", "again").status()).isEqualTo(409);
  }

  private Answer media(Document attachment) {
    return shop.get(attachment.field("media").asString());
  }

  @Test
  void mediaCanBeReplaced() {
    Answer made = upload("photo", "first");
    String link = made.string("media");
    assertThat(shop.raw("PUT", link, "second", "content-type: image/png").status()).isEqualTo(200);
    assertThat(shop.get(link).text()).isEqualTo("second");
    assertThat(shop.get(OF_A + "/photo", pk("p")).string("contentType")).isEqualTo("image/png");
    upload("photo", "third", "x-ms-documentdb-is-upsert: true");
    assertThat(shop.get(link).text()).isEqualTo("third");
  }

  @Test
  void mediaAreDeletedWhenTheirAttachmentLinksElsewhere() {
    Document made = upload("photo", "first").body();
    String template = "{'id':'photo','contentType':'text/plain','by':'me','media':'%s'}";
    String same = template.formatted(made.field("media").asString());
    assertThat(shop.send("PUT", OF_A + "/photo", same, pk("p")).string("by")).isEqualTo("me");
    assertThat(media(made).text()).isEqualTo("first");
    String elsewhere = template.formatted("https://example.com/p");
    Answer linked = shop.send("PUT", OF_A + "/photo", elsewhere, pk("p"));
    assertThat(linked.string("media")).isEqualTo("https://example.com/p");
    assertThat(media(made).status()).isEqualTo(404);
  }

  @Test
  void mediaOfUnknownTypeOrTooLargeAreRejected() {
    Answer odd = shop.raw("POST", OF_A, "x", "slug: s", "content-type: junt/test", pk("p"));
    assertThat(odd.status()).isEqualTo(400);
    assertThat(upload("big", "x".repeat((2 << 20) + 1)).status()).isEqualTo(413);
    assertThat(upload("most", "x".repeat(2 << 20)).status()).isEqualTo(201);
  }

  @Test
  void attachmentsAreDeletedWithTheirItem() {
    Document made = upload("photo", "first").body();
    shop.send("DELETE", DOCS + "/a", "", pk("p"));
    assertThat(shop.get(OF_A, pk("p")).status()).isEqualTo(404);
    assertThat(media(made).status()).isEqualTo(404);
    item("a", "");
    assertThat(names(shop.get(OF_A, pk("p")))).isEmpty();
    assertThat(media(made).status()).isEqualTo(404);
  }

  @Test
  void attachmentsExpireWithTheirItem() {
    item("brief", ",'ttl':10");
    String ofBrief = DOCS + "/brief/attachments";
    Answer made = shop.send("POST", ofBrief, LINK, pk("p"));
    Answer photo = shop.raw("POST", ofBrief, "x", "slug: p", "content-type: image/png", pk("p"));
    shop.advance(9);
    assertThat(shop.get(photo.string("media")).status()).isEqualTo(200);
    shop.advance(1);
    assertThat(shop.get(Shop.self(made.body()), pk("p")).status()).isEqualTo(404);
    assertThat(shop.get(photo.string("media")).status()).isEqualTo(404);
    assertThat(shop.raw("PUT", photo.string("media"), "y", "content-type: image/png").status())
        .isEqualTo(404);
  }

  @Test
  void replacingAnItemKeepsItsAttachments() {
    Document made = upload("photo", "first").body();
    shop.send("PUT", DOCS + "/a", "{'id':'a','pk':'p','n':2}", pk("p"));
    assertThat(media(made).text()).isEqualTo("first");
  }

  @Test
  void attachmentsOfDeletedItemsAreCollected() {
    item("brief", ",'ttl':10");
    upload("photo", "stays");
    shop.raw(
        "POST", DOCS + "/brief/attachments", "x", "slug: p", "content-type: image/png", pk("p"));
    assertThat(attachments().usage().documents()).isEqualTo(4);
    shop.advance(10);
    collect();
    assertThat(attachments().usage().documents()).as("until the item is swept").isEqualTo(4);
    shop.engine().work();
    collect();
    assertThat(attachments().usage().documents()).isEqualTo(2);
    assertThat(names(shop.get(OF_A, pk("p")))).containsExactly("photo");
  }

  private void collect() {
    Engine engine = shop.engine();
    Containers containers = new Containers(engine, new Metadata(engine, Cell.HOME));
    new AttachmentStore(containers, Durability.LOGGED).collect();
  }

  private Collection attachments() {
    Engine engine = shop.engine();
    return engine.namespaces().stream()
        .filter(place -> place.collection().startsWith("annex "))
        .map(engine::collection)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void attachmentsSurviveARestartAndEndWithTheContainer() {
    Document made = upload("photo", "first").body();
    shop.restart();
    assertThat(media(made).text()).isEqualTo("first");
    shop.send("DELETE", "/dbs/db/colls/items", "");
    assertThat(media(made).status()).isEqualTo(404);
    assertThat(shop.engine().namespaces())
        .noneMatch(place -> place.collection().startsWith("annex "));
  }

  @Test
  void attachmentsAreChargedToTheirContainer() {
    Document offer = shop.get("/offers").list("Offers").getFirst();
    String rid = offer.field("_rid").asString();
    String limit = "{'id':'%1$s','_rid':'%1$s','content':{'offerThroughput':400}}".formatted(rid);
    assertThat(shop.send("PUT", "/offers/" + rid, limit).status()).isEqualTo(200);
    Answer made = upload("large", "x".repeat(1_000_000));
    assertThat(made.status()).isEqualTo(201);
    Answer refused = shop.get(OF_A, pk("p"));
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.header("x-ms-retry-after-ms")).isNotEmpty();
    shop.advance(10);
    for (int i = 0; i < 3; i++) {
      assertThat(media(made.body()).status()).isEqualTo(200);
    }
    assertThat(shop.get(DOCS + "/a", pk("p")).status()).isEqualTo(429);
  }
}
