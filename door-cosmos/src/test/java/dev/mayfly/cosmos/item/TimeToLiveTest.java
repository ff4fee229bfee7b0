package dev.mayfly.cosmos.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Time to live as clients of the protocol see it, on a clock moved by hand. */
class TimeToLiveTest {
  private static final String DOCS = Shop.DOCS;
  private static final String ITEM = DOCS + "/1";
  private static final String X = Shop.pk("x");
  private static final String UPSERT = "x-ms-documentdb-is-upsert: true";
  private static final long YEAR = 365L * 24 * 3600;

  private final Shop shop = open();

  /** A shop with a store in memory. */
  Shop open() {
    return Shop.inMemory();
  }

  @AfterEach
  void close() {
    shop.close();
  }

  /** Seconds after the second of the last write, or never. */
  @ParameterizedTest(name = "default {0}, ttl {1}: expires after {2}")
  @CsvSource({
    "off, absent, never",
    "off, -1, never",
    "off, 5, never",
    "-1, absent, never",
    "-1, -1, never",
    "-1, 5, 5",
    "10, absent, 10",
    "10, -1, never",
    "10, 5, 5",
    "10, 20, 20",
    "10, 2147483647, 2147483647",
  })
  void defaultTtlAndItemTtlDetermineTheDeadline(String defaultTtl, String ttl, String expires) {
    container(defaultTtl);
    String item = ttl.equals("absent") ? item() : item("1", ttl);
    assertThat(create(item).status()).isEqualTo(201);
    boolean never = expires.equals("never");
    long life = never ? 100 * YEAR : Long.parseLong(expires);
    shop.advance(life - 1);
    assertThat(read().status()).isEqualTo(200);
    assertThat(read().at("ttl"))
        .isEqualTo(ttl.equals("absent") ? Value.MISSING : Value.of(Long.parseLong(ttl)));
    shop.advance(1);
    assertThat(read().status()).isEqualTo(never ? 200 : 404);
    assertThat(ids()).hasSize(never ? 1 : 0);
    shop.engine().workUntilIdle();
    assertThat(read().status()).isEqualTo(never ? 200 : 404);
  }

  @Test
  void theExpiryOfItemsIsExplained() {
    container("10");
    create(item("1", "5"));
    Answer read = shop.get(ITEM, X, "x-mayfly-explain-expiry: true");
    assertThat(read.header("x-mayfly-expiry-rule")).isEqualTo("own");
    assertThat(Long.parseLong(read.header("x-mayfly-expires-at")))
        .isEqualTo(read.at("_ts").asLong() + 5);
    create(item("2", "-1"));
    Answer never = shop.get(DOCS + "/2", X, "x-mayfly-explain-expiry: true");
    assertThat(never.header("x-mayfly-never-expires")).isEqualTo("`ttl` is -1.");
    assertThat(shop.get(ITEM, X, "x-mayfly-explain-expiry: True").header("x-mayfly-expiry-rule"))
        .isEqualTo("own");
    Answer plain = shop.get(ITEM, X, "x-mayfly-explain-expiry: false");
    assertThat(plain.status()).isEqualTo(200);
    assertThat(plain.header("x-mayfly-expiry-rule")).isEmpty();
    Answer unclear = shop.get(ITEM, X, "x-mayfly-explain-expiry: maybe");
    assertThat(unclear.status()).isEqualTo(400);
    assertThat(unclear.at("code").asString()).isEqualTo("BadRequest");
    assertThat(unclear.at("message").asString())
        .contains("Value 'maybe' specified for the header 'x-mayfly-explain-expiry' is invalid.");
    Answer lives =
        shop.send(
            "POST",
            DOCS.replace("/docs", "/lives"),
            "{'keys':[{'id':'1','partitionKey':['x']},{'id':'9','partitionKey':['x']}]}");
    assertThat(lives.list("lives"))
        .extracting(life -> life.field("state").asString())
        .containsExactly("live", "absent");
  }

  static Stream<String> invalid() {
    return Stream.of(
        "0", "null", "-10", "-2", "2147483648", "1.5", "\"60\"", "true", "[5]", "{\"n\":5}");
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void everyWriteRejectsAnInvalidTtl(String ttl) {
    container("10");
    assertEveryKindOfWriteRefuses(ttl);
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void anInvalidTtlIsRejectedWhileTtlIsOff(String ttl) {
    container("off");
    assertEveryKindOfWriteRefuses(ttl);
  }

  private void assertEveryKindOfWriteRefuses(String ttl) {
    create(item());
    String upsert = UPSERT;
    List<Answer> answers =
        List.of(
            shop.send("POST", DOCS, item("2", ttl), X),
            shop.send("POST", DOCS, item("2", ttl), X, upsert),
            shop.send("POST", DOCS, item("1", ttl), X, upsert),
            shop.send("PUT", ITEM, item("1", ttl), X),
            shop.send("PATCH", ITEM, patch("set", ttl), X),
            shop.send("PATCH", ITEM, patch("add", ttl), X));
    assertThat(answers).extracting(Answer::status).containsOnly(400);
    assertThat(answers).extracting(answer -> answer.header("x-ms-substatus")).containsOnly("0");
    assertThat(answers)
        .allSatisfy(answer -> assertThat(answer.header("x-ms-request-charge")).isEqualTo("1.24"));
    assertThat(read().at("ttl").isMissing()).isTrue();
    assertThat(ids()).containsExactly("1");
  }

  @ParameterizedTest
  @CsvSource({"0, -1", "null, -1", "-10, -1", "-10, off"})
  void theErrorMessageIsThatOfCosmosDb(String ttl, String defaultTtl) {
    container(defaultTtl);
    assertThat(create(item("1", ttl)).at("message").asString())
        .startsWith(
            "Message: {\"Errors\":[\"The input ttl '"
                + ttl
                + "' is invalid. Ensure to provide a nonzero positive integer less than or equal"
                + " to '2147483647', or '-1' which means never expire.\"]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10", "off"})
  void anInvalidTtlRollsBackItsBatch(String defaultTtl) {
    container(defaultTtl);
    String batch =
        "[{'operationType':'Create','resourceBody':"
            + item("1")
            + "},{'operationType':'Create','resourceBody':"
            + item("2", "0")
            + "},{'operationType':'Create','resourceBody':"
            + item("3")
            + "}]";
    Answer atomic = batch(batch, "true", "false");
    assertThat(atomic.status()).isEqualTo(207);
    assertThat(atomic.statuses()).containsExactly(424, 400, 424);
    assertThat(ids()).isEmpty();
    assertThat(batch(batch, "false", "false").statuses()).containsExactly(201, 400, 424);
    assertThat(batch(batch, "false", "true").statuses()).containsExactly(409, 400, 201);
    assertThat(ids()).containsExactly("1", "3");
  }

  @Test
  void aTtlHasNoEffectWhileTtlIsOff() {
    container("off");
    assertThat(create(item("1", "5")).status()).isEqualTo(201);
    shop.advance(100);
    assertThat(ids()).containsExactly("1");
    assertThat(read().at("ttl")).isEqualTo(Value.of(5L));
    replaceContainer("-1");
    assertThat(ids()).isEmpty();
  }

  @Test
  void anInvalidStoredTtlIsIgnored() {
    container("off");
    Collection collection = shop.engine().collection(new Namespace("cosmos:db", "items"));
    // versions before this one stored any ttl while TTL was off
    collection.alter(spec -> spec.withTimeToLive(TimeToLive.NONE.withStrict(false)));
    collection.insert(Document.writer().put("id", "1").put("pk", "x").put("ttl", 0).build());
    replaceContainer("200");
    shop.advance(199);
    assertThat(ids()).containsExactly("1");
    assertThat(shop.send("PATCH", ITEM, "[{'op':'set','path':'/a','value':1}]", X).status())
        .isEqualTo(400);
    shop.advance(1);
    assertThat(ids()).isEmpty();
  }

  @Test
  void everyWriteRestartsTheTtl() {
    container("10");
    create(item());
    List<Runnable> writes =
        List.of(
            () -> shop.send("PUT", ITEM, item("1"), X),
            () -> shop.send("POST", DOCS, item("1"), X, UPSERT),
            () -> shop.send("PATCH", ITEM, "[{'op':'set','path':'/a','value':1}]", X),
            // changes nothing, and is a write all the same
            () -> shop.send("PATCH", ITEM, "[{'op':'set','path':'/a','value':1}]", X),
            () ->
                batch(
                    "[{'operationType':'Replace','id':'1','resourceBody':" + item("1") + "}]",
                    "true",
                    "false"));
    for (Runnable write : writes) {
      shop.advance(9);
      long before = read().at("_ts").asLong();
      write.run();
      assertThat(read().at("_ts").asLong()).isEqualTo(before + 9);
    }
    shop.advance(9);
    assertThat(read().status()).isEqualTo(200);
    shop.advance(1);
    assertThat(read().status()).isEqualTo(404);
  }

  @Test
  void aTtlCanBeChangedRemovedAndSwitchedOff() {
    container("10");
    create(item("1", "5"));
    shop.send("PATCH", ITEM, patch("set", "100"), X);
    shop.advance(99);
    assertThat(read().status()).isEqualTo(200);
    shop.send("PATCH", ITEM, "[{'op':'remove','path':'/ttl'}]", X);
    shop.advance(9);
    assertThat(read().status()).isEqualTo(200);
    shop.send("PATCH", ITEM, patch("set", "-1"), X);
    shop.advance(YEAR);
    assertThat(read().status()).isEqualTo(200);
    shop.send("PUT", ITEM, item("1"), X);
    shop.advance(10);
    assertThat(read().status()).isEqualTo(404);
  }

  @Test
  void anExpiredItemIsAbsentForEveryOperation() {
    container("10");
    Answer created = create(item());
    String etag = created.header("etag");
    shop.advance(10);
    assertThat(read().status()).isEqualTo(404);
    assertThat(shop.send("GET", ITEM, "", X, "If-None-Match: " + etag).status()).isEqualTo(404);
    assertThat(shop.send("PUT", ITEM, item(), X).status()).isEqualTo(404);
    assertThat(shop.send("PUT", ITEM, item(), X, "If-Match: " + etag).status()).isEqualTo(404);
    assertThat(shop.send("PATCH", ITEM, patch("set", "5"), X).status()).isEqualTo(404);
    assertThat(shop.send("DELETE", ITEM, "", X).status()).isEqualTo(404);
    assertThat(shop.send("DELETE", ITEM, "", X, "If-Match: " + etag).status()).isEqualTo(404);
    assertThat(batch("[{'operationType':'Read','id':'1'}]", "true", "false").statuses())
        .containsExactly(404);
    assertThat(ids()).isEmpty();
    assertThat(shop.send("GET", DOCS, "", "A-IM: Incremental feed").status()).isEqualTo(304);
    assertThat(query("SELECT * FROM c")).isEqualTo("[]");
    assertThat(query("SELECT VALUE COUNT(1) FROM c")).isEqualTo("[0]");
    assertThat(query("SELECT VALUE c.id FROM c WHERE c.id = '1'")).isEqualTo("[]");
    Answer self = shop.get(Shop.self(created.body()));
    assertThat(self.status()).isEqualTo(404);
  }

  @Test
  void theIdOfAnExpiredItemIsFree() {
    container("10");
    String first = create(item()).at("_rid").asString();
    shop.advance(10);
    Answer again = create(item());
    assertThat(again.status()).isEqualTo(201);
    assertThat(again.at("_rid").asString()).isNotEqualTo(first);
    shop.advance(10);
    Answer upserted = shop.send("POST", DOCS, item(), X, UPSERT);
    assertThat(upserted.status()).isEqualTo(201);
  }

  @Test
  void ifMatchOfAnUpsertIgnoresExpiredItems() {
    container("10");
    String etag = create(item()).header("etag");
    shop.advance(10);
    Answer upserted = shop.send("POST", DOCS, item(), X, UPSERT, "If-Match: " + etag);
    assertThat(upserted.status()).isEqualTo(201);
  }

  @Test
  void theUniqueKeyOfAnExpiredItemIsFree() {
    shop.container(
        "{'id':'items','partitionKey':{'paths':['/pk'],'kind':'Hash'},'defaultTtl':10,"
            + "'uniqueKeyPolicy':{'uniqueKeys':[{'paths':['/mail']}]}}");
    String ada = "{'id':'%s','pk':'x','mail':'ada'}";
    assertThat(create(ada.formatted("1")).status()).isEqualTo(201);
    Answer refused = create(ada.formatted("2"));
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text()).contains("Unique index constraint violation.");
    shop.advance(10);
    assertThat(create(ada.formatted("2")).status()).isEqualTo(201);
  }

  @Test
  void aChangedDefaultTtlAppliesToExistingItems() {
    container("off");
    create(item("1"));
    create(item("2", "-1"));
    create(item("3", "50"));
    shop.advance(30);
    replaceContainer("20");
    assertThat(ids()).containsExactly("2", "3");
    replaceContainer("-1");
    assertThat(ids()).containsExactly("2", "3");
    shop.advance(20);
    assertThat(ids()).containsExactly("2");
    // expired items stay expired after a rule change
    replaceContainer("off");
    assertThat(ids()).containsExactly("2");
    shop.advance(YEAR);
    assertThat(ids()).containsExactly("2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-10", "-2", "2147483648", "1.5", "\"60\""})
  void anInvalidDefaultTtlIsRejected(String ttl) {
    container("10");
    Answer answer = shop.send("PUT", "/dbs/db/colls/items", definition(ttl));
    assertThat(answer.status()).isEqualTo(400);
  }

  @Test
  void theTtlMayStartAtAProperty() {
    shop.container(
        "{'id':'items','partitionKey':{'paths':['/pk'],'kind':'Hash'},'defaultTtl':10,"
            + "'ttlPropertyPath':'/made'}");
    long now = shop.seconds();
    create("{'id':'1','pk':'x','made':" + (now - 5) + "}");
    create("{'id':'2','pk':'x'}");
    shop.advance(4);
    assertThat(ids()).containsExactly("1", "2");
    shop.advance(1);
    assertThat(ids()).containsExactly("2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {"milliseconds | %d500 | 1", "iso8601 | '1970-01-01T00:00:00Z' | 0"})
  void thePropertyMayHaveAnotherFormat(String format, String made, int later) {
    shop.container(
        "{'id':'items','partitionKey':{'paths':['/pk'],'kind':'Hash'},'defaultTtl':10,"
            + "'ttlPropertyPath':'/made','mayfly':{'ttlFormat':'"
            + format
            + "'}}");
    create("{'id':'1','pk':'x','made':" + made.formatted(shop.seconds() - 5) + "}");
    create("{'id':'2','pk':'x','made':true}");
    if (later > 0) {
      shop.advance(5);
      assertThat(ids()).containsExactly("1", "2");
      shop.advance(later);
    }
    assertThat(ids()).containsExactly("2");
    Answer read = shop.get(DOCS + "/2", X, "x-mayfly-explain-expiry: true");
    assertThat(read.header("x-mayfly-never-expires")).contains("is a boolean, not");
  }

  @Test
  void deadlinesOfManyItemsAreSetAtOnce() {
    container("10");
    create(item("1"));
    create("{'id':'2','pk':'x','n':2}");
    create("{'id':'3','pk':'x','n':7}");
    Answer set = touch("{'condition':'from c where c.n = 7','seconds':60}");
    assertThat(set.status()).as(set.text()).isEqualTo(200);
    assertThat(set.at("matched").asLong()).isEqualTo(1);
    assertThat(set.at("touched").asLong()).isEqualTo(1);
    assertThat(set.at("complete").asBoolean()).isTrue();
    shop.advance(5);
    Answer restarted = touch("{'condition':'from c where c._ts > 0 and c.n = 2'}");
    assertThat(restarted.at("touched").asLong()).isEqualTo(1);
    shop.advance(5);
    assertThat(ids()).containsExactly("2", "3");
    shop.advance(5);
    assertThat(ids()).containsExactly("3");
    Answer invalid = touch("{'condition':'from c where'}");
    assertThat(invalid.status()).isEqualTo(400);
    assertThat(invalid.text()).contains("Invalid touch request: the condition is invalid");
    assertThat(touch("{'seconds':60}").status()).isEqualTo(400);
    assertThat(touch("{'condition':'from c','second':60}").status()).isEqualTo(400);
    assertThat(touch("{'condition':'from c','seconds':0}").status()).isEqualTo(400);
  }

  private Answer touch(String body) {
    return shop.send("POST", "/dbs/db/colls/items/touch", body);
  }

  @Test
  void itemsThatNeverExpireAreCountedByReason() {
    container("-1");
    create(item("1"));
    create(item("2", "5"));
    Answer report = shop.send("POST", "/dbs/db/colls/items/lives", "{}");
    assertThat(report.status()).as(report.text()).isEqualTo(200);
    assertThat(report.at("neverExpiring").asLong()).isEqualTo(1);
    assertThat(report.at("total").asLong()).isEqualTo(1);
    assertThat(report.at("reasons").toString())
        .contains("noDefault", "\"keys\":[{\"id\":\"1\",\"partitionKey\":[\"x\"]}]");
    Answer wrong = shop.send("POST", "/dbs/db/colls/items/lives", "{'key':[]}");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.text()).contains("The property 'key' is unknown.");
  }

  @Test
  void pointReadsExtendTheLivesOfASlidingContainer() {
    String container =
        "{'id':'items','partitionKey':{'paths':['/pk'],'kind':'Hash'},'defaultTtl':100,"
            + "'mayfly':{'sliding':true}}";
    Answer made = shop.send("POST", "/dbs/db/colls", container);
    assertThat(made.at("mayfly").toString()).isEqualTo("{\"sliding\":true}");
    create(item("1"));
    create(item("2", "50"));
    create(item("3"));
    String etag = shop.get(DOCS + "/1", X).at("_etag").asString();
    shop.advance(40);
    shop.get(DOCS + "/2", X);
    shop.advance(40);
    Answer read = shop.get(DOCS + "/1", X);
    assertThat(read.at("_etag").asString()).isEqualTo(etag);
    assertThat(ids()).containsExactly("1", "2", "3");
    shop.advance(20);
    assertThat(ids()).containsExactly("1");
    Answer lives =
        shop.send(
            "POST", "/dbs/db/colls/items/lives", "{'keys':[{'id':'1','partitionKey':['x']}]}");
    assertThat(lives.text()).contains("usedAt");
    replaceContainer("200");
    assertThat(shop.send("GET", "/dbs/db/colls/items", "").at("mayfly").isMissing()).isFalse();
    shop.advance(179);
    assertThat(ids()).containsExactly("1");
    shop.advance(1);
    assertThat(ids()).isEmpty();
  }

  @Test
  void queriesExtendOnlyTheLivesOfItemsThatTheyReturn() {
    shop.send(
        "POST",
        "/dbs/db/colls",
        "{'id':'items','partitionKey':{'paths':['/pk'],'kind':'Hash'},'defaultTtl':100,"
            + "'mayfly':{'sliding':{'queries':true}}}");
    for (int i = 1; i <= 7; i++) {
      create(item(Integer.toString(i)));
    }
    shop.advance(60);
    query("select * from c where c.id = '1'");
    query("select value c.id from c where length(c.id) = stringToNumber(c.id) - 1");
    query("select top 1 c.id from c where c.id >= '3' order by c.id");
    query("select value count(1) from c where c.id = '5'");
    query("select value max(c._ts) from c");
    query("select distinct value c.id from c where c.id = '6'");
    shop.advance(40);
    assertThat(ids()).containsExactly("1", "2", "3", "6");
  }

  @Test
  void aBoundedContainerEvictsTheItemsThatExpireFirst() {
    String limit = "'mayfly':{'maxDocuments':2,'evict':'soonest'}";
    Answer made =
        shop.send(
            "POST",
            "/dbs/db/colls",
            "{'id':'items','partitionKey':{'paths':['/pk'],'kind':'Hash'},'defaultTtl':100,"
                + limit
                + "}");
    assertThat(made.at("mayfly").toString())
        .isEqualTo("{\"maxDocuments\":2,\"evict\":\"soonest\"}");
    create(item("1", "50"));
    create(item("2", "10"));
    create(item("3", "20"));
    assertThat(ids()).containsExactly("1", "3");
    replaceContainer("200");
    assertThat(shop.send("GET", "/dbs/db/colls/items", "").at("mayfly").isMissing()).isFalse();
    create(item("4", "5"));
    assertThat(ids()).containsExactly("1", "4");
  }

  @Test
  void wrongLimitsAreRejected() {
    for (String wrong : List.of("0", "-3", "1.5", "'x'")) {
      assertThat(limited("{'maxDocuments':" + wrong + "}"))
          .contains("'mayfly.maxDocuments' must be a whole number of at least 1.");
    }
    assertThat(limited("{'maxBytes':0}")).contains("'mayfly.maxBytes' must be a whole number");
    assertThat(limited("{'maxDocuments':1,'evict':'latest'}")).contains("'mayfly.evict' must be");
    assertThat(limited("{'evict':'soonest'}")).contains("'mayfly.evict' must be");
    assertThat(limited("{'maxItems':1}")).contains("'mayfly.maxItems' is unknown");
  }

  /** Returns the error of a container with such a limit. */
  private String limited(String mayfly) {
    Answer refused =
        shop.send(
            "POST",
            "/dbs/db/colls",
            "{'id':'limited','partitionKey':{'paths':['/pk'],'kind':'Hash'},'mayfly':"
                + mayfly
                + "}");
    assertThat(refused.status()).isEqualTo(400);
    return refused.at("message").asString();
  }

  @Test
  void itemsAreReportedBeforeTheyExpire() {
    container("100");
    create(item("1", "5"));
    create(item("2", "50"));
    Answer first = shop.send("POST", "/dbs/db/colls/items/warnings", "{'withinSeconds':10}");
    assertThat(first.status()).as(first.text()).isEqualTo(200);
    assertThat(first.at("warnings").toString())
        .contains("\"id\":\"1\"", "\"partitionKey\":[", "\"rule\":\"own\"")
        .doesNotContain("\"id\":\"2\"");
    String after = "{'withinSeconds':10,'after':'" + first.string("next") + "'}";
    assertThat(shop.send("POST", "/dbs/db/colls/items/warnings", after).at("warnings").toString())
        .isEqualTo("[]");
    shop.advance(40);
    assertThat(shop.send("POST", "/dbs/db/colls/items/warnings", after).at("warnings").toString())
        .contains("\"id\":\"2\"");
    for (String wrong :
        List.of(
            "{}",
            "{'withinSeconds':0}",
            "{'withinSeconds':1,'after':'x'}",
            "{'withinSeconds':1,'after':1}",
            "{'withinSeconds':1,'maxItemCount':5000}")) {
      assertThat(shop.send("POST", "/dbs/db/colls/items/warnings", wrong).status())
          .as(wrong)
          .isEqualTo(400);
    }
  }

  @Test
  void expiredItemsMoveToAnotherContainer() {
    String past = "{'id':'past','partitionKey':{'paths':['/pk'],'kind':'Hash'}}";
    assertThat(shop.send("POST", "/dbs/db/colls", past).status()).isEqualTo(201);
    Answer made =
        shop.send(
            "POST",
            "/dbs/db/colls",
            "{'id':'items','partitionKey':{'paths':['/pk'],'kind':'Hash'},'defaultTtl':100,"
                + "'mayfly':{'onExpire':{'moveTo':'cosmos:db.past'}}}");
    assertThat(made.at("mayfly").toString())
        .isEqualTo("{\"onExpire\":{\"moveTo\":\"cosmos:db.past\"}}");
    create(item("1", "5"));
    create(item("2", "50"));
    replaceContainer("200");
    assertThat(shop.send("GET", "/dbs/db/colls/items", "").at("mayfly.onExpire").isMissing())
        .isFalse();
    shop.advance(6);
    shop.engine().workUntilIdle();
    assertThat(ids()).containsExactly("2");
    assertThat(shop.engine().collection(new Namespace("cosmos:db", "past")).usage().documents())
        .isEqualTo(1);
  }

  @Test
  void readsDoNotExtendTheTtl() {
    container("10");
    create(item());
    shop.advance(5);
    assertThat(read().status()).isEqualTo(200);
    ids();
    shop.advance(5);
    assertThat(read().status()).isEqualTo(404);
  }

  private void container(String defaultTtl) {
    shop.container(definition(defaultTtl));
  }

  private void replaceContainer(String defaultTtl) {
    assertThat(shop.send("PUT", "/dbs/db/colls/items", definition(defaultTtl)).status())
        .isEqualTo(200);
  }

  private static String definition(String defaultTtl) {
    String ttl = defaultTtl.equals("off") ? "" : ",'defaultTtl':" + defaultTtl;
    return "{'id':'items','partitionKey':{'paths':['/pk'],'kind':'Hash'}" + ttl + "}";
  }

  private String query(String sql) {
    Answer answer =
        shop.raw(
            "POST",
            DOCS,
            "{\"query\":\"" + sql + "\"}",
            "x-ms-documentdb-isquery: true",
            "x-ms-documentdb-query-enablecrosspartition: true",
            "content-type: application/query+json");
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return Json.write(answer.at("Documents"));
  }

  private Answer create(String item) {
    return shop.send("POST", DOCS, item, X);
  }

  private Answer read() {
    return shop.send("GET", ITEM, "", X);
  }

  private List<String> ids() {
    return shop.send("GET", DOCS, "").ids();
  }

  private Answer batch(String operations, String atomic, String goesOn) {
    return shop.send(
        "POST",
        DOCS,
        operations,
        X,
        "x-ms-cosmos-is-batch-request: true",
        "x-ms-cosmos-batch-atomic: " + atomic,
        "x-ms-cosmos-batch-continue-on-error: " + goesOn);
  }

  private static String item() {
    return item("1");
  }

  private static String item(String id) {
    return "{'id':'" + id + "','pk':'x'}";
  }

  private static String item(String id, String ttl) {
    return "{'id':'" + id + "','pk':'x','ttl':" + ttl + "}";
  }

  private static String patch(String operation, String ttl) {
    return "[{'op':'" + operation + "','path':'/ttl','value':" + ttl + "}]";
  }
}
