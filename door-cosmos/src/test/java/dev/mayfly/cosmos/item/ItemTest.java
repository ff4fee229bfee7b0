package dev.mayfly.cosmos.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One item at a time. */
class ItemTest {
  private static final String DOCS = Shop.DOCS;
  private static final String ITEM = DOCS + "/1";
  private static final String X = Shop.pk("x");
  private static final String UPSERT = "x-ms-documentdb-is-upsert: true";
  private static final String ADA = "{'id':'1','pk':'x','name':'Ada'}";

  private final Shop shop = open();

  Shop open() {
    return Shop.inMemory();
  }

  @BeforeEach
  void begin() {
    shop.container("{'id':'items','partitionKey':{'paths':['/pk'],'kind':'Hash'}}");
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void itemsAreReturnedWithSystemProperties() {
    Answer created = shop.send("POST", DOCS, ADA, X);
    assertThat(created.status()).isEqualTo(201);
    Document item = created.body();
    assertThat(item.field("name").asString()).isEqualTo("Ada");
    assertThat(item.field("_ts").asLong()).isEqualTo(shop.seconds());
    assertThat(item.field("_etag").asString()).isEqualTo(created.header("etag"));
    assertThat(item.field("_attachments").asString()).isEqualTo("attachments/");
    assertThat(item.field("_self").asString())
        .startsWith("dbs/")
        .endsWith("/docs/" + item.field("_rid").asString() + "/");
    assertThat(created.header("x-ms-session-token")).startsWith("0:-1#");
    assertThat(Double.parseDouble(created.header("x-ms-request-charge"))).isGreaterThan(4);
    Answer read = shop.send("GET", ITEM, "", X);
    assertThat(read.status()).isEqualTo(200);
    assertThat(read.body()).isEqualTo(item);
    assertThat(read.header("x-ms-request-charge")).isEqualTo("1");
    assertThat(read.header("x-ms-alt-content-path")).isEqualTo("dbs/db/colls/items");
  }

  @Test
  void systemPropertiesFromClientsAreNotStored() {
    Answer created =
        shop.send(
            "POST",
            DOCS,
            "{'_rid':'r','id':'1','_ts':5,'pk':'x','_etag':'e','_self':'s','_attachments':'a',"
                + "'_mine':1}",
            X);
    Document item = created.body();
    assertThat(names(item))
        .containsExactly("id", "pk", "_mine", "_rid", "_self", "_etag", "_attachments", "_ts");
    assertThat(item.field("_ts").asLong()).isNotEqualTo(5);
  }

  private static List<String> names(Document item) {
    List<String> names = new ArrayList<>();
    for (var fields = item.fields(); fields.next(); ) {
      names.add(fields.name());
    }
    return names;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "-1", "1.5", "9223372036854775807", "1e300", "0.1", "2147483648", "-0.5"})
  void numbersAreReturnedAsTheyWereWritten(String number) {
    shop.send("POST", DOCS, "{'id':'1','pk':'x','n':" + number + "}", X);
    Answer read = shop.send("GET", ITEM, "", X);
    assertThat(read.text()).containsIgnoringCase("\"n\":" + number.replace("1e300", "1.0e300"));
  }

  @Test
  void aReplacementMayHaveAnotherId() {
    Answer ada = shop.send("POST", DOCS, ADA, X);
    String etag = ada.header("etag");
    String eve = "{'id':'2','pk':'x','name':'Eve'}";
    String stale = "if-match: \"00000000-0000-0000-0000-0000000000ff\"";
    assertThat(shop.send("PUT", ITEM, eve, X, stale).status()).isEqualTo(412);
    Answer renamed = shop.send("PUT", ITEM, eve, X, "if-match: " + etag);
    assertThat(renamed.status()).isEqualTo(200);
    assertThat(renamed.at("name").asString()).isEqualTo("Eve");
    assertThat(shop.get(ITEM, X).status()).isEqualTo(404);
    assertThat(shop.get(DOCS + "/2", X).body()).isEqualTo(renamed.body());
    assertThat(shop.send("PUT", ITEM, eve, X).status()).isEqualTo(404);
    assertThat(renamed.string("_rid")).isEqualTo(ada.string("_rid"));
    assertThat(shop.get(Shop.self(ada.body()), X).body()).isEqualTo(renamed.body());
  }

  @Test
  void aRenamedItemKeepsItsRid() {
    String rid = shop.send("POST", DOCS, ADA, X).string("_rid");
    shop.send("PUT", ITEM, "{'id':'2','pk':'x'}", X);
    shop.send("POST", DOCS, ADA, X);
    shop.restart();
    Answer back = shop.send("PUT", DOCS + "/2", "{'id':'3','pk':'x','n':1}", X);
    assertThat(back.string("_rid")).isEqualTo(rid);
    assertThat(shop.send("PUT", DOCS + "/3", "{'id':'3','pk':'x','n':2}", X).string("_rid"))
        .isEqualTo(rid);
    assertThat(shop.get(ITEM, X).string("_rid")).isNotEqualTo(rid);
    shop.send("DELETE", DOCS + "/3", "", X);
    assertThat(shop.get(Shop.self(back.body()), X).status()).isEqualTo(404);
  }

  @Test
  void aRenameToAnExistingIdFailsWith409() {
    shop.send("POST", DOCS, ADA, X);
    shop.send("POST", DOCS, "{'id':'2','pk':'x'}", X);
    assertThat(shop.send("PUT", DOCS + "/2", ADA, X).status()).isEqualTo(409);
    assertThat(shop.get(DOCS, X).ids()).containsExactly("1", "2");
    assertThat(shop.get(ITEM, X).at("name").asString()).isEqualTo("Ada");
  }

  @Test
  void aPartitionKeyHasAtMost2048Bytes() {
    String most = "k".repeat(2046) + "é";
    String body = "{'id':'1','pk':'%s'}";
    String escaped = most.replace("é", "\\u00e9");
    assertThat(shop.send("POST", DOCS, body.formatted(most), Shop.pk(escaped)).status())
        .isEqualTo(201);
    Answer longer = shop.send("POST", DOCS, body.formatted("k" + most), Shop.pk("k" + escaped));
    assertThat(longer.status()).isEqualTo(400);
    assertThat(longer.at("message").asString()).contains("2048 bytes");
  }

  @Test
  void idsAreUniqueWithinAPartitionKey() {
    shop.send("POST", DOCS, ADA, X);
    Answer again = shop.send("POST", DOCS, ADA, X);
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.header("x-ms-request-charge")).isEqualTo("1.24");
    assertThat(shop.send("POST", DOCS, "{'id':'1','pk':'y'}", Shop.pk("y")).status())
        .isEqualTo(201);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'pk':'x'}|required properties - 'id; ' - are missing",
        "{'id':5,'pk':'x'}|'id' - is not a string",
        "{'id':'','pk':'x'}|The input name '' is invalid",
        "{'id':'1'|The request payload is invalid",
        "[1]|The request payload is invalid",
      })
  void anInvalidItemIsRejected(String body, String text) {
    Answer answer = shop.send("POST", DOCS, body, X);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.at("code").asString()).isEqualTo("BadRequest");
    assertThat(answer.at("message").asString()).contains(text);
  }

  @ParameterizedTest
  @CsvSource({"a/b,a%2Fb", "a\\b,a%5Cb", "a#b?c,a%23b%3Fc", "a%2Fb,a%252Fb"})
  void anIdMayHaveAnyCharacters(String id, String escaped) {
    String path = DOCS + "/" + escaped;
    String body = "{'id':'" + id.replace("\\", "\\\\") + "','pk':'x'}";
    assertThat(shop.send("POST", DOCS, body, X).status()).isEqualTo(201);
    assertThat(shop.send("GET", path, "", X).at("id").asString()).isEqualTo(id);
    assertThat(shop.send("PUT", path, body, X).status()).isEqualTo(200);
    assertThat(shop.send("DELETE", path, "", X).status()).isEqualTo(204);
  }

  @Test
  void anObjectAsPartitionKeyCountsAsUndefined() {
    String undefined = Shop.key("[{}]");
    for (String pk : List.of("{'a':1}", "[1]")) {
      Answer made = shop.send("POST", DOCS, "{'id':'1','pk':" + pk + "}", undefined);
      assertThat(made.status()).isEqualTo(201);
      assertThat(shop.send("POST", DOCS, "{'id':'1'}", undefined).status()).isEqualTo(409);
      assertThat(shop.send("GET", ITEM, "", undefined).at("pk")).isEqualTo(made.at("pk"));
      assertThat(shop.get(Shop.self(made.body()), undefined).status()).isEqualTo(200);
      assertThat(shop.send("GET", DOCS, "", undefined).ids()).containsExactly("1");
      assertThat(shop.send("DELETE", ITEM, "", undefined).status()).isEqualTo(204);
    }
    assertThat(shop.send("POST", DOCS, "{'id':'1','pk':{'a':1}}", Shop.key("[{'a':1}]")).status())
        .isEqualTo(400);
  }

  @Test
  void idsAndItemsHaveLimits() {
    String longest = "i".repeat(1023);
    assertThat(item(longest, "").status()).isEqualTo(201);
    assertThat(shop.send("GET", DOCS + "/" + longest, "", X).status()).isEqualTo(200);
    assertThat(item(longest + "i", "").status()).isEqualTo(400);
    assertThat(item("large", "a".repeat((2 << 20) - 100)).status()).isEqualTo(201);
    for (int bytes : new int[] {2 << 20, 3 << 20}) {
      Answer larger = item("larger", "a".repeat(bytes));
      assertThat(larger.status()).isEqualTo(413);
      assertThat(larger.string("message"))
          .startsWith("Message: {\"Errors\":[\"Request size is too large\"]}\r\nActivityId: ");
    }
  }

  private Answer item(String id, String filling) {
    return shop.send("POST", DOCS, "{'id':'" + id + "','pk':'x','f':'" + filling + "'}", X);
  }

  @Test
  void aReplacedItemKeepsItsRidAndChangesItsEtag() {
    Document first = shop.send("POST", DOCS, ADA, X).body();
    Answer replaced = shop.send("PUT", ITEM, "{'id':'1','pk':'x','name':'Eve'}", X);
    assertThat(replaced.status()).isEqualTo(200);
    assertThat(replaced.at("_rid")).isEqualTo(first.field("_rid"));
    assertThat(replaced.at("_etag")).isNotEqualTo(first.field("_etag"));
    assertThat(shop.send("PUT", DOCS + "/2", "{'id':'2','pk':'x'}", X).status()).isEqualTo(404);
  }

  @Test
  void anUpsertCreatesOrReplaces() {
    assertThat(shop.send("POST", DOCS, ADA, X, UPSERT).status()).isEqualTo(201);
    assertThat(shop.send("POST", DOCS, ADA, X, UPSERT).status()).isEqualTo(200);
  }

  @Test
  void anItemIsDeletedOnce() {
    shop.send("POST", DOCS, ADA, X);
    Answer deleted = shop.send("DELETE", ITEM, "", X);
    assertThat(deleted.status()).isEqualTo(204);
    assertThat(deleted.text()).isEmpty();
    Answer again = shop.send("DELETE", ITEM, "", X);
    assertThat(again.status()).isEqualTo(404);
    assertThat(again.header("x-ms-substatus")).isEmpty();
    assertThat(again.text()).contains("Entity with the specified id does not exist in the system.");
  }

  @Test
  void ifNoneMatchReturns304() {
    String etag = shop.send("POST", DOCS, ADA, X).header("etag");
    Answer known = shop.send("GET", ITEM, "", X, "If-None-Match: " + etag);
    assertThat(known.status()).isEqualTo(304);
    assertThat(known.text()).isEmpty();
    assertThat(known.header("etag")).isEqualTo(etag);
    shop.send("PUT", ITEM, ADA, X);
    assertThat(shop.send("GET", ITEM, "", X, "If-None-Match: " + etag).status()).isEqualTo(200);
  }

  @Test
  void aWriteWithAnotherEtagFailsWith412() {
    String etag = shop.send("POST", DOCS, ADA, X).header("etag");
    assertThat(shop.send("PUT", ITEM, ADA, X, "If-Match: " + etag).status()).isEqualTo(200);
    String patch = "[{'op':'set','path':'/a','value':1}]";
    for (String stale : List.of(etag, "\"nonsense\"", "5")) {
      assertThat(shop.send("PUT", ITEM, ADA, X, "If-Match: " + stale).status()).isEqualTo(412);
      assertThat(shop.send("PATCH", ITEM, patch, X, "If-Match: " + stale).status()).isEqualTo(412);
      assertThat(shop.send("DELETE", ITEM, "", X, "If-Match: " + stale).status()).isEqualTo(412);
      assertThat(shop.send("POST", DOCS, ADA, X, UPSERT, "If-Match: " + stale).status())
          .isEqualTo(412);
    }
    assertThat(shop.send("PUT", ITEM, ADA, X, "If-Match: *").status()).isEqualTo(200);
  }

  @Test
  void minimalResponsesContainNoItem() {
    Answer created = shop.send("POST", DOCS, ADA, X, "Prefer: return=minimal");
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.text()).isEmpty();
    assertThat(created.header("etag")).startsWith("\"");
    assertThat(shop.send("GET", ITEM, "", X, "Prefer: return=minimal").text()).isNotEmpty();
  }

  @Test
  void thePartitionKeyOfRequestAndItemMustMatch() {
    Answer wrong = shop.send("POST", DOCS, ADA, Shop.pk("y"));
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.header("x-ms-substatus")).isEqualTo("1001");
    assertThat(shop.send("POST", DOCS, ADA).status()).isEqualTo(400);
    assertThat(shop.send("POST", DOCS, ADA, Shop.key("['x','y']")).status()).isEqualTo(400);
    assertThat(shop.send("POST", DOCS, ADA, Shop.key("nonsense")).status()).isEqualTo(400);
    assertThat(shop.send("POST", DOCS, ADA, X).status()).isEqualTo(201);
    Answer moved = shop.send("PUT", ITEM, "{'id':'1','pk':'y'}", X);
    assertThat(moved.header("x-ms-substatus")).isEqualTo("1001");
    assertThat(shop.send("GET", ITEM, "", Shop.pk("y")).status()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'pk':null|[null]",
        "'other':1|[{}]",
        "'pk':true|[true]",
        "'pk':1|[1]",
        "'pk':1|[1.0]",
        "'pk':1.5|[1.5]",
        "'pk':'é\\u00e9'|['é\\u00e9']",
        "'pk':'a\\'b'|['a\\'b']",
      })
  void aPartitionKeyCanBeAnyScalarOrUndefined(String property, String key) {
    String header = key.replace('\'', '"').replace("é", "\\u00e9");
    Answer created = shop.send("POST", DOCS, "{'id':'1'," + property + "}", Shop.key(header));
    assertThat(created.status()).isEqualTo(201);
    assertThat(shop.send("GET", ITEM, "", Shop.key(header)).status()).isEqualTo(200);
    assertThat(shop.send("GET", ITEM, "", X).status()).isEqualTo(404);
  }

  @Test
  void hierarchicalKeysHaveAllTheirValues() {
    shop.container(
        "{'id':'deep','partitionKey':{'paths':['/a','/b','/c'],'kind':'MultiHash','version':2}}");
    String docs = "/dbs/db/colls/deep/docs";
    String item = "{'id':'1','a':'x','b':2}";
    assertThat(shop.send("POST", docs, item, Shop.key("['x',2,{}]")).status()).isEqualTo(201);
    assertThat(shop.send("POST", docs, item, Shop.key("['x',2]")).status()).isEqualTo(400);
    assertThat(shop.send("GET", docs + "/1", "", Shop.key("['x',2,{}]")).status()).isEqualTo(200);
    shop.send("POST", docs, "{'id':'2','a':'x','b':3,'c':4}", Shop.key("['x',3,4]"));
    shop.send("POST", docs, "{'id':'3','a':'y','b':3,'c':4}", Shop.key("['y',3,4]"));
    assertThat(shop.send("GET", docs, "", Shop.key("['x']")).ids()).containsExactly("1", "2");
    assertThat(shop.send("GET", docs, "", Shop.key("['x',3]")).ids()).containsExactly("2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[{}]", "[]"})
  void aContainerWithoutAKeyIdentifiesItemsById(String key) {
    shop.container("{'id':'old'}");
    String docs = "/dbs/db/colls/old/docs";
    assertThat(shop.send("POST", docs, "{'id':'1','n':1}", Shop.key(key)).status()).isEqualTo(201);
    assertThat(shop.send("POST", docs, "{'id':'1','n':1}", Shop.key(key)).status()).isEqualTo(409);
    assertThat(shop.send("GET", docs + "/1", "", Shop.key(key)).status()).isEqualTo(200);
    assertThat(shop.send("PUT", docs + "/1", "{'id':'1','n':2}", Shop.key(key)).status())
        .isEqualTo(200);
    assertThat(shop.send("DELETE", docs + "/1", "", Shop.key(key)).status()).isEqualTo(204);
  }

  @Test
  void anItemIsFoundByItsSelfLink() {
    shop.container("{'id':'old','defaultTtl':1000000}");
    String docs = "/dbs/db/colls/old/docs";
    Document item = shop.send("POST", docs, "{'id':'1','n':1}").body();
    shop.send("POST", docs, "{'id':'2','n':1}");
    String self = Shop.self(item);
    assertThat(shop.send("GET", self, "").body()).isEqualTo(item);
    assertThat(shop.send("PUT", self, "{'id':'1','n':2}").status()).isEqualTo(200);
    // a trimmed feed makes the lookup a scan
    shop.advance(3 * 24 * 3600);
    shop.engine().workUntilIdle();
    assertThat(shop.send("GET", self, "").at("n")).isEqualTo(Value.of(2L));
    assertThat(shop.send("DELETE", self, "").status()).isEqualTo(204);
    assertThat(shop.send("GET", self, "").status()).isEqualTo(404);
    assertThat(shop.send("POST", docs, "{'id':'1','n':1}").status()).isEqualTo(201);
    assertThat(shop.send("GET", self, "").status()).isEqualTo(404);
  }

  @Test
  void anotherIntendedRidFailsWith1024() {
    String rid = shop.send("POST", DOCS, ADA, X).header("x-ms-content-path");
    String intended = "x-ms-cosmos-intended-collection-rid: ";
    assertThat(shop.send("GET", ITEM, "", X, intended + rid).status()).isEqualTo(200);
    Answer other = shop.send("GET", ITEM, "", X, intended + "AAAAAIAAAAA=");
    assertThat(other.status()).isEqualTo(400);
    assertThat(other.header("x-ms-substatus")).isEqualTo("1024");
  }

  @Test
  void oldClientsGetSimpleSessionTokens() {
    shop.send("POST", DOCS, ADA, X);
    assertThat(shop.get(ITEM, X).header("x-ms-session-token")).matches("0:-1#[0-9]+");
    assertThat(shop.get(ITEM, X, "x-ms-version: 2017-11-15").header("x-ms-session-token"))
        .matches("0:[0-9]+");
  }

  @Test
  void itemsOfAnUnknownContainerFailWith404() {
    Answer answer = shop.send("GET", "/dbs/db/colls/none/docs/1", "", X);
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.header("x-ms-substatus")).isEqualTo("1003");
  }

  @Test
  void allItemsOfAKeyAreDeletedAtOnce() {
    for (int i = 0; i < 1201; i++) {
      shop.send("POST", DOCS, "{'id':'" + i + "','pk':'x'}", X);
    }
    shop.send("POST", DOCS, "{'id':'1','pk':'y'}", Shop.pk("y"));
    Answer deleted = shop.send("POST", "/dbs/db/colls/items/operations/partitionkeydelete", "", X);
    assertThat(deleted.status()).isEqualTo(200);
    assertThat(shop.send("GET", DOCS, "").ids()).containsExactly("1");
  }

  @Test
  void requestsBeyondTheThroughputAreThrottled() {
    shop.container(
        "{'id':'slow','partitionKey':{'paths':['/pk'],'kind':'Hash'}}",
        "x-ms-offer-throughput: 400");
    String docs = "/dbs/db/colls/slow/docs";
    Answer answer = shop.send("POST", docs, "{'id':'0','pk':'x'}", X);
    for (int i = 1; answer.status() == 201; i++) {
      assertThat(i).isLessThan(200);
      answer = shop.send("POST", docs, "{'id':'" + i + "','pk':'x'}", X);
    }
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.header("x-ms-substatus")).isEqualTo("3200");
    assertThat(Long.parseLong(answer.header("x-ms-retry-after-ms"))).isPositive();
    shop.advance(1);
    assertThat(shop.send("GET", docs + "/0", "", X).status()).isEqualTo(200);
  }
}
