package dev.mayfly.server;

import static dev.mayfly.server.ConsoleBrowser.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.console.ConsoleSettings;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.mongo.auth.Login;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of the console's pages, on a real server with a test clock. */
final class ConsoleRequestsTest {
  private static final String CARTS = "/collections/cosmos%3Ashop/carts";
  private static final String ITEM = "{\"id\":\"a\",\"partitionKey\":[\"x\"]}";

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final HttpClient client = HttpClient.newHttpClient();
  private Server server = Server.open(ServerSettings.inMemory().withClock(clock));
  private ConsoleBrowser browser = ConsoleBrowser.of(server, client);

  @BeforeEach
  void login() {
    assertThat(browser.login("{}").statusCode()).isEqualTo(200);
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private void restart(ServerSettings changed) {
    server.close();
    server = Server.open(changed.withClock(clock));
    browser = ConsoleBrowser.of(server, client);
  }

  private static Document body(String... members) {
    var writer = Document.writer();
    for (int i = 0; i < members.length; i += 2) {
      writer.put(members[i], members[i + 1]);
    }
    return writer.build();
  }

  private static Document texts(String name, String... texts) {
    return Document.writer().put(name, ConsoleBrowser.texts(texts)).build();
  }

  private void container() {
    browser.post("/cosmos", body("method", "POST", "path", "/dbs", "body", "{\"id\":\"shop\"}"));
    browser.post(
        "/cosmos",
        body(
            "method",
            "POST",
            "path",
            "/dbs/shop/colls",
            "body",
            "{\"id\":\"carts\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\"},"
                + "\"defaultTtl\":60}"));
  }

  @Test
  void aCommandRunsInProcessAndItsDocumentsAreTexts() {
    browser.mongo(
        "db",
        "{\"insert\":\"c\",\"documents\":[{\"_id\":1,\"n\":{\"$numberLong\":\"9007199254740993\"},"
            + "\"d\":5.0,\"i\":5}]}");
    Document found = browser.mongo("db", "{\"find\":\"c\",\"filter\":{\"i\":5}}");
    assertThat(found.field("documents").asDocument().field("0").asString())
        .isEqualTo("{\"_id\":1,\"n\":{\"$numberLong\":\"9007199254740993\"},\"d\":5.0,\"i\":5}");
    assertThat(found.field("cursor").asString()).isEqualTo("0");
    assertThat(found.field("namespace").asString()).isEqualTo("db.c");
    assertThat(found.field("plan").asString()).isEqualTo("COLLSCAN");
    assertThat(found.field("documentsExamined").asLong()).isEqualTo(1);
  }

  /** A page compares it with versions, which it reads later than the documents of a list. */
  @Test
  void aReadReportsTheNewestVersionThatItCanHaveSeen() {
    browser.mongo("db", "{\"insert\":\"c\",\"documents\":[{\"_id\":1}]}");
    long seen = Long.parseLong(browser.mongo("db", "{\"find\":\"c\"}").field("through").asString());
    Document key = texts("keys", "1");
    assertThat(version(browser.post("/collections/db/c/lives", key))).isEqualTo(seen);
    browser.mongo(
        "db", "{\"update\":\"c\",\"updates\":[{\"q\":{\"_id\":1},\"u\":{\"_id\":1,\"n\":2}}]}");
    assertThat(version(browser.post("/collections/db/c/lives", key))).isGreaterThan(seen);
    assertThat(browser.mongo("db", "{\"find\":\"none\"}").field("through").isMissing()).isTrue();
  }

  private static long version(Document lives) {
    return Long.parseLong(
        lives.field("lives").asDocument().field("0").asDocument().field("version").asString());
  }

  @Test
  void aKeyOfAnItemMustHaveItsForm() {
    container();
    for (String key : List.of("\"a\"", "{\"id\":\"a\"}", "{\"id\":1,\"partitionKey\":[]}")) {
      var refused = browser.tryPost(CARTS + "/lives", texts("keys", key));
      assertThat(refused.statusCode()).as(key).isEqualTo(400);
      assertThat(refused.body()).as(key).contains("The key of an item is");
    }
  }

  @Test
  void aTestClockGoesForwardToADate() {
    var back = browser.tryPost("/clock", body("to", "1999-01-01T00:00:00Z"));
    assertThat(back.statusCode()).isEqualTo(400);
    assertThat(back.body()).contains("The clock can only be moved forward");
    var wrong = browser.tryPost("/clock", body("to", "tomorrow"));
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).contains("'to' is not a date such as");
  }

  @Test
  void aBatchHasAtMost200DocumentsAndItsCursorBelongsToTheLogin() {
    StringBuilder documents = new StringBuilder();
    for (int i = 0; i < 450; i++) {
      documents.append(i == 0 ? "" : ",").append("{\"_id\":").append(i).append('}');
    }
    browser.mongo("db", "{\"insert\":\"c\",\"documents\":[" + documents + "]}");
    Document first = browser.mongo("db", "{\"find\":\"c\",\"batchSize\":1000}");
    assertThat(first.field("documents").asDocument().field("199").isMissing()).isFalse();
    assertThat(first.field("documents").asDocument().field("200").isMissing()).isTrue();
    String more =
        "{\"getMore\":{\"$numberLong\":\""
            + first.field("cursor").asString()
            + "\"},\"collection\":\"c\"}";
    ConsoleBrowser other = ConsoleBrowser.of(server, client);
    other.login("{}");
    assertThat(other.tryMongo("db", more).statusCode()).isEqualTo(400);
    Document second = browser.mongo("db", more);
    assertThat(second.field("documents").asDocument().field("199").isMissing()).isFalse();
    assertThat(second.field("documents").asDocument().field("200").isMissing()).isTrue();

    assertThat(server.mongo().cursors()).isEqualTo(1);
    browser.send("POST", "/_mayfly/logout", "");
    assertThat(server.mongo().cursors()).isZero();
  }

  @Test
  void aFailedCommandIsARefusalWithItsCode() {
    HttpResponse<String> reply = browser.tryMongo("db", "{\"find\":\"c\",\"filter\":{\"$x\":1}}");
    assertThat(reply.statusCode()).isEqualTo(400);
    assertThat(json(reply).field("code").asString()).isEqualTo("BadValue");
    assertThat(json(reply).field("number").asInt()).isEqualTo(2);
    HttpResponse<String> syntax = browser.tryMongo("db", "{\"find\":");
    assertThat(json(syntax).field("code").asString()).isEqualTo("SYNTAX");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"shutdown\":1}",
        "{\"SHUTDOWN\":1}",
        "{\"saslStart\":1}",
        "{\"authenticate\":1}",
        "{\"logout\":1}",
        "{\"configureFailPoint\":\"x\",\"mode\":\"off\"}",
        "{\"fsync\":1,\"lock\":true}",
        "{\"fsync\":1,\"lock\":1}"
      })
  void commandsOfConnectionsAndTestsAreRefused(String command) {
    HttpResponse<String> reply = browser.tryMongo("admin", command);
    assertThat(reply.statusCode()).isEqualTo(400);
    assertThat(reply.body()).contains("does not run the command");
  }

  @Test
  void aRequestIsStoppedByItsTag() throws Exception {
    StringBuilder documents = new StringBuilder("{}");
    documents.append(",{}".repeat(1_999));
    browser.mongo("db", "{\"insert\":\"c\",\"documents\":[" + documents + "]}");
    // a join of 2,000 * 2,000 * 2,000 documents
    String slow =
        "{\"aggregate\":\"c\",\"cursor\":{},\"maxTimeMS\":600000,\"pipeline\":["
            + "{\"$lookup\":{\"from\":\"c\",\"pipeline\":[],\"as\":\"a\"}},{\"$unwind\":\"$a\"},"
            + "{\"$lookup\":{\"from\":\"c\",\"pipeline\":[],\"as\":\"b\"}},{\"$unwind\":\"$b\"},"
            + "{\"$group\":{\"_id\":null,\"n\":{\"$sum\":1}}}]}";
    CompletableFuture<HttpResponse<String>> running =
        CompletableFuture.supplyAsync(
            () ->
                browser.tryPost(
                    "/mongo", body("database", "db", "command", slow, "tag", "slow-one")));
    while (!browser.mongo("admin", "{\"currentOp\":1}").toString().contains("$lookup")) {
      assertThat(running.isDone()).isFalse();
    }
    assertThat(browser.post("/cancel", body("tag", "other")).field("cancelled").asBoolean())
        .isFalse();
    assertThat(browser.post("/cancel", body("tag", "slow-one")).field("cancelled").asBoolean())
        .isTrue();
    HttpResponse<String> reply = running.get(60, TimeUnit.SECONDS);
    assertThat(reply.statusCode()).isEqualTo(499);
    assertThat(json(reply).field("code").asString()).isEqualTo("CANCELLED");
  }

  @Test
  void anEditKeepsTypesAndDoesNotOverwriteAnUnseenChange() {
    String text =
        "{\"_id\":{\"$oid\":\"65a000000000000000000001\"},"
            + "\"n\":{\"$numberLong\":\"9007199254740993\"},"
            + "\"t\":{\"$timestamp\":{\"t\":0,\"i\":0}},\"m\":{\"$numberDecimal\":\"1.10\"}}";
    browser.mongo("db", "{\"create\":\"c\"}");
    Document inserted = browser.post("/collections/db/c/insert", texts("texts", text));
    assertThat(inserted.field("inserted").asInt()).isEqualTo(1);
    String key = inserted.field("keys").asDocument().field("0").asString();
    assertThat(key).isEqualTo("{\"$oid\":\"65a000000000000000000001\"}");

    Document saved = save("/collections/db/c", key, "", text.replace("1.10", "1.20"));
    assertThat(saved.field("outcome").asString()).isEqualTo("saved");
    String mine = saved.field("version").asString();
    save("/collections/db/c", key, mine, text.replace("1.10", "1.30"));

    Document refused = save("/collections/db/c", key, mine, text.replace("1.10", "1.40"));
    assertThat(refused.field("outcome").asString()).isEqualTo("changed");
    assertThat(refused.field("text").asString()).isEqualTo(text.replace("1.10", "1.30"));
    Document knowing = save("/collections/db/c", key, refused.field("version").asString(), text);
    assertThat(knowing.field("outcome").asString()).isEqualTo("saved");
  }

  private Document save(String collection, String key, String version, String text) {
    return browser.post(collection + "/save", body("key", key, "version", version, "text", text));
  }

  @Test
  void aDocumentThatIsGoneIsReportedWithWhenAndWhy() {
    browser.mongo(
        "db",
        "{\"createIndexes\":\"c\",\"indexes\":[{\"key\":{\"at\":1},\"name\":\"at\","
            + "\"expireAfterSeconds\":0}]}");
    browser.post(
        "/collections/db/c/insert",
        texts("texts", "{\"_id\":1}", "{\"_id\":2,\"at\":{\"$date\":\"2023-11-14T22:13:30Z\"}}"));
    String first =
        save("/collections/db/c", "1", "", "{\"_id\":1,\"a\":1}").field("version").asString();
    String second =
        save(
                "/collections/db/c",
                "2",
                "",
                "{\"_id\":2,\"at\":{\"$date\":\"2023-11-14T22:13:31Z\"}}")
            .field("version")
            .asString();
    browser.mongo("db", "{\"delete\":\"c\",\"deletes\":[{\"q\":{\"_id\":1},\"limit\":1}]}");
    Document deleted = save("/collections/db/c", "1", first, "{\"_id\":1,\"a\":2}");
    assertThat(deleted.field("outcome").asString()).isEqualTo("gone");
    assertThat(deleted.field("cause").asString()).isEqualTo("deleted");
    assertThat(deleted.field("at").asDate()).isEqualTo(clock.now());

    clock.advance(Duration.ofMinutes(1));
    server.mayfly().engine().clockMoved();
    server.mayfly().engine().workUntilIdle();
    Document expired = save("/collections/db/c", "2", second, "{\"_id\":2}");
    assertThat(expired.field("outcome").asString()).isEqualTo("gone");
    assertThat(expired.field("cause").asString()).isEqualTo("expired");
  }

  @Test
  void aValidatorRefusesAnEdit() {
    browser.mongo(
        "db", "{\"create\":\"c\",\"validator\":{\"$jsonSchema\":{\"required\":[\"name\"]}}}");
    Document inserted =
        browser.post(
            "/collections/db/c/insert",
            texts("texts", "{\"_id\":1,\"name\":\"a\"}", "{\"_id\":2}"));
    assertThat(inserted.field("inserted").asInt()).isEqualTo(1);
    assertThat(inserted.field("refused").toString()).contains("\"index\":1", "validation");
    HttpResponse<String> reply =
        browser.tryPost(
            "/collections/db/c/save", body("key", "1", "version", "", "text", "{\"_id\":1}"));
    assertThat(reply.statusCode()).isEqualTo(400);
    assertThat(json(reply).field("code").asString()).isEqualTo("DocumentValidationFailure");
    assertThat(json(reply).field("details").asString()).contains("name");
  }

  @Test
  void manyDocumentsAreInsertedAndRemovedEachForItself() {
    browser.mongo("db", "{\"create\":\"c\"}");
    Document inserted =
        browser.post(
            "/collections/db/c/insert",
            texts("texts", "{\"_id\":1}", "{bad", "{\"_id\":1}", "{\"_id\":2}"));
    assertThat(inserted.field("inserted").asInt()).isEqualTo(2);
    assertThat(inserted.field("refused").toString()).contains("\"index\":1", "\"index\":2");

    String version =
        save("/collections/db/c", "2", "", "{\"_id\":2,\"a\":1}").field("version").asString();
    Document removal =
        Document.writer()
            .put("keys", ConsoleBrowser.texts("1", "2", "3"))
            .put("versions", ConsoleBrowser.texts("", "1", ""))
            .build();
    Document removed = browser.post("/collections/db/c/remove", removal);
    assertThat(removed.field("removed").asInt()).isEqualTo(1);
    assertThat(removed.field("gone").asInt()).isEqualTo(1);
    assertThat(removed.field("changed").asDocument().field("0").asString()).isEqualTo("2");
    Document seen =
        Document.writer()
            .put("keys", ConsoleBrowser.texts("2"))
            .put("versions", ConsoleBrowser.texts(version))
            .build();
    assertThat(browser.post("/collections/db/c/remove", seen).field("removed").asInt())
        .isEqualTo(1);
  }

  @Test
  void itemsAreQueriedEditedAndRemoved() {
    container();
    Document inserted =
        browser.post(
            CARTS + "/insert",
            texts("texts", "{\"id\":\"a\",\"pk\":\"x\",\"n\":9007199254740993}", "{\"pk\":\"x\"}"));
    assertThat(inserted.field("keys").asDocument().field("0").asString()).isEqualTo(ITEM);
    assertThat(inserted.field("refused").toString()).contains("\"index\":1");

    Document query =
        Document.writer()
            .put("method", "POST")
            .put("path", "/dbs/shop/colls/carts/docs")
            .put("body", "{\"query\":\"SELECT * FROM c\"}")
            .startDocument("headers")
            .put("x-ms-documentdb-isquery", "true")
            .put("content-type", "application/query+json")
            .put("x-ms-documentdb-query-enablecrosspartition", "true")
            .end()
            .build();
    Document found = browser.post("/cosmos", query);
    assertThat(found.field("documents").asDocument().field("0").asString())
        .contains("9007199254740993");
    assertThat(found.field("requestUnits").asDouble()).isPositive();

    Document saved = save(CARTS, ITEM, "", "{\"id\":\"a\",\"pk\":\"x\",\"n\":1}");
    String version = saved.field("version").asString();
    save(CARTS, ITEM, version, "{\"id\":\"a\",\"pk\":\"x\",\"n\":2}");
    Document refused = save(CARTS, ITEM, version, "{\"id\":\"a\",\"pk\":\"x\",\"n\":3}");
    assertThat(refused.field("outcome").asString()).isEqualTo("changed");
    assertThat(refused.field("text").asString()).contains("\"n\":2");

    Document stale =
        Document.writer()
            .put("keys", ConsoleBrowser.texts(ITEM))
            .put("versions", ConsoleBrowser.texts(version))
            .build();
    assertThat(browser.post(CARTS + "/remove", stale).field("changed").toString()).contains("a");
    Document removed = browser.post(CARTS + "/remove", texts("keys", ITEM));
    assertThat(removed.field("removed").asInt()).isEqualTo(1);
    assertThat(
            save(CARTS, ITEM, refused.field("version").asString(), "{\"id\":\"a\",\"pk\":\"x\"}")
                .field("cause")
                .asString())
        .isEqualTo("deleted");
  }

  @Test
  void aRefusedRequestOfCosmosHasItsStatusAndSentence() {
    HttpResponse<String> reply =
        browser.tryPost("/cosmos", body("method", "GET", "path", "/dbs/none"));
    assertThat(reply.statusCode()).isEqualTo(404);
    assertThat(json(reply).field("code").asString()).isEqualTo("NotFound");
    for (String path : List.of("/_mayfly/clock", "/metrics", "/", "dbs")) {
      assertThat(browser.tryPost("/cosmos", body("method", "GET", "path", path)).statusCode())
          .isEqualTo(400);
    }
  }

  @Test
  void theFeedReportsExpiriesWithTheirDeadline() {
    container();
    String after = browser.post("/feed", body()).field("after").asString();
    browser.post(CARTS + "/insert", texts("texts", "{\"id\":\"a\",\"pk\":\"x\",\"ttl\":5}"));
    browser.mongo("db", "{\"insert\":\"c\",\"documents\":[{\"_id\":1}]}");
    clock.advance(Duration.ofSeconds(7));
    server.mayfly().engine().clockMoved();
    server.mayfly().engine().workUntilIdle();

    Document all = browser.post("/feed", body("after", after));
    assertThat(all.field("changes").toString())
        .contains("\"kind\":\"insert\"", "\"collection\":\"c\"", "\"database\":\"cosmos:shop\"");
    Document expiries =
        Document.writer()
            .put("after", after)
            .put("kinds", ConsoleBrowser.texts("expire"))
            .put("images", true)
            .build();
    Document only = browser.post(CARTS + "/feed", expiries);
    assertThat(only.field("changes").asDocument().field("1").isMissing()).isTrue();
    Document change = only.field("changes").asDocument().field("0").asDocument();
    assertThat(change.field("key").asString()).isEqualTo(ITEM);
    assertThat(change.field("cause").asString()).isEqualTo("deadline");
    assertThat(change.field("deadline").asDate()).isEqualTo(clock.now() - 2_000);
    assertThat(change.field("lateMillis").asLong()).isEqualTo(2_000);
    Document none = browser.post(CARTS + "/feed", body("after", only.field("after").asString()));
    assertThat(none.field("changes").asDocument().isEmpty()).isTrue();
  }

  @Test
  void theFeedIsReadInPagesWithoutLosingChanges() {
    StringBuilder documents = new StringBuilder();
    for (int i = 0; i < 700; i++) {
      documents.append(i == 0 ? "" : ",").append("{\"_id\":").append(i).append('}');
    }
    browser.mongo("db", "{\"insert\":\"c\",\"documents\":[" + documents + "]}");
    String after = "oldest";
    int seen = 0;
    int pages = 0;
    while (seen < 700) {
      Document page =
          browser.post(
              "/collections/db/c/feed",
              Document.writer().put("after", after).put("most", 100).build());
      after = page.field("after").asString();
      var changes = page.field("changes").asDocument().fields();
      while (changes.next()) {
        assertThat(changes.value().asDocument().field("key").asString())
            .isEqualTo("{\"$numberInt\":\"" + seen + "\"}");
        seen++;
      }
      pages++;
      assertThat(pages).isLessThan(20);
    }
    assertThat(pages).isEqualTo(7);
  }

  @Test
  void aPollWaitsForAChange() throws Exception {
    browser.mongo("db", "{\"create\":\"c\"}");
    CompletableFuture<Document> poll =
        CompletableFuture.supplyAsync(
            () -> browser.post("/feed", Document.writer().put("waitMillis", 20_000).build()));
    int id = 0;
    while (!poll.isDone()) {
      browser.mongo("db", "{\"insert\":\"c\",\"documents\":[{\"_id\":" + id++ + "}]}");
    }
    assertThat(poll.get(1, TimeUnit.SECONDS).field("changes").toString()).contains("insert");
  }

  @Test
  void stateOfTheServerIsReported() {
    Document sample = browser.post("/sample", Document.EMPTY);
    assertThat(sample.field("documents").asInt()).isEqualTo(300);
    Document status = browser.get("/status");
    assertThat(status.field("documents").asLong()).isEqualTo(300);
    assertThat(status.field("collections").asInt()).isEqualTo(1);
    assertThat(status.field("clock").asDocument().field("movable").asBoolean()).isTrue();
    assertThat(status.field("sweep").asDocument().field("paused").asBoolean()).isFalse();
    browser.post("/sweep/pause", Document.EMPTY);
    assertThat(browser.get("/status").field("sweep").asDocument().field("paused").asBoolean())
        .isTrue();
    browser.post("/clock", Document.writer().put("advanceMillis", 900_000).build());
    assertThat(browser.get("/status").field("documents").asLong()).isZero();
    assertThat(browser.get("/history").field("stepMillis").asLong()).isEqualTo(10_000);
    Document connect = browser.get("/connect");
    assertThat(connect.field("mongo").asDocument().field("port").asInt())
        .isEqualTo(server.mongo().address().getPort());
    assertThat(connect.field("cosmos").asDocument().field("key").asString())
        .isEqualTo("well-known");
  }

  @Test
  void noDurationIsReportedIfNoOperationIsSlow() {
    assertThat(browser.get("/slow").field("slowMillis").asInt()).isEqualTo(100);
    ServerSettings settings = ServerSettings.inMemory();
    restart(
        settings.withMongo(
            settings.mongo().withWork(settings.mongo().work().withSlowMillis(Integer.MAX_VALUE))));
    login();
    assertThat(browser.get("/slow").field("slowMillis").isMissing()).isTrue();
    assertThat(browser.get("/slow").field("operations").isArray()).isTrue();
  }

  @Test
  void slowOperationsOfBothDoorsAreListedWithoutValues() {
    ServerSettings settings = ServerSettings.inMemory();
    restart(
        settings.withMongo(settings.mongo().withWork(settings.mongo().work().withSlowMillis(0))));
    login();
    container();
    browser.mongo("db", "{\"find\":\"c\",\"filter\":{\"name\":\"confidential\"}}");
    String slow = browser.get("/slow").toString();
    assertThat(slow)
        .contains("\"door\":\"mongo\"", "\"door\":\"cosmos\"", "\"operation\":\"find\"")
        .doesNotContain("confidential");
  }

  @Test
  void queriesAreSavedForTheirUser() {
    Document query = body("name", "mine", "database", "db", "collection", "c", "text", "{}");
    browser.put("/queries/q%2F1", query);
    browser.put("/queries/q%2F1", body("name", "renamed", "text", "{\"a\":1}"));
    String list = browser.get("/queries").toString();
    assertThat(list).contains("renamed", "q/1").doesNotContain("mine");
    HttpResponse<String> large =
        browser.send(
            "PUT",
            "/_mayfly/queries/large",
            "{\"name\":\"x\",\"text\":\"" + "x".repeat(17_000) + "\"}");
    assertThat(large.statusCode()).isEqualTo(400);
    browser.delete("/queries/q%2F1");
    browser.delete("/queries/q%2F1");
    assertThat(browser.get("/queries").toString()).doesNotContain("renamed");
    assertThat(browser.get("/collections").toString()).doesNotContain("mayfly.queries");
  }

  @Test
  void aConsoleThatMayOnlyReadRefusesEveryChange() {
    restart(ServerSettings.inMemory().withConsole(ConsoleSettings.standard().withReadOnly(true)));
    server.mayfly().create("db", "c", CollectionSpec.mongo());
    login();
    assertThat(browser.get("/me").field("access").asString()).isEqualTo("read");
    for (String command :
        List.of(
            "{\"insert\":\"c\",\"documents\":[{}]}",
            "{\"drop\":\"c\"}",
            "{\"aggregate\":\"c\",\"cursor\":{},\"pipeline\":[{\"$match\":{}},{\"$out\":\"d\"}]}",
            "{\"explain\":{\"delete\":\"c\",\"deletes\":[]}}",
            "{\"createUser\":\"eve\",\"pwd\":\"x\",\"roles\":[]}")) {
      HttpResponse<String> reply = browser.tryMongo("db", command);
      assertThat(reply.statusCode()).as(command).isEqualTo(403);
      assertThat(json(reply).field("code").asString()).isEqualTo("READ_ONLY");
    }
    for (String command :
        List.of(
            "{\"mayflyExplainExpiry\":\"c\"}",
            "{\"mayflyForecast\":\"c\"}",
            "{\"mayflyWarnings\":\"c\",\"withinSeconds\":60}")) {
      assertThat(browser.tryMongo("db", command).statusCode()).as(command).isEqualTo(200);
    }
    Document upsert =
        Document.writer()
            .put("method", "DELETE")
            .put("path", "/dbs/shop")
            .startDocument("headers")
            .put("x-ms-documentdb-isquery", "true")
            .end()
            .build();
    assertThat(browser.tryPost("/cosmos", upsert).statusCode()).isEqualTo(403);
    for (String path :
        List.of(
            "/collections/db/c/insert",
            "/collections/db/c/save",
            "/collections/db/c/remove",
            "/collections/db/c/ttl",
            "/collections/db/c/undo",
            "/collections/db/c/import",
            "/sweep/pause",
            "/clock",
            "/backup",
            "/users",
            "/sample")) {
      HttpResponse<String> reply = browser.tryPost(path, Document.EMPTY);
      assertThat(reply.statusCode()).as(path).isEqualTo(403);
      assertThat(json(reply).field("code").asString()).isEqualTo("READ_ONLY");
    }
    assertThat(browser.mongo("db", "{\"find\":\"c\"}").field("cursor").asString()).isEqualTo("0");
    assertThat(browser.get("/collections/db/c").field("documents").asInt()).isZero();
  }

  @Test
  void aUserMayDoWhatItsRolesAllow() {
    ServerSettings settings = ServerSettings.inMemory();
    restart(settings.withMongo(settings.mongo().withLogin(Login.ALWAYS)));
    server.mayfly().create("shop", "carts", CollectionSpec.mongo());
    server.mayfly().create("hr", "pay", CollectionSpec.mongo());
    Value read =
        Value.array(
            List.of(Value.of(Document.writer().put("role", "read").put("db", "shop").build())));
    server.mongo().users().add(new Identity("admin", "rea"), "password", read);
    browser.login("{\"user\":\"rea\",\"password\":\"password\"}");
    assertThat(browser.get("/me").field("everything").asBoolean()).isFalse();

    assertThat(browser.mongo("shop", "{\"find\":\"carts\"}").field("cursor").asString())
        .isEqualTo("0");
    assertThat(browser.get("/collections").toString()).contains("carts").doesNotContain("pay");
    assertThat(browser.get("/collections/shop/carts").field("documents").asInt()).isZero();
    assertThat(browser.get("/status").field("collections").asInt()).isEqualTo(1);

    for (String command :
        List.of("{\"insert\":\"carts\",\"documents\":[{}]}", "{\"drop\":\"carts\"}")) {
      HttpResponse<String> reply = browser.tryMongo("shop", command);
      assertThat(reply.statusCode()).isEqualTo(403);
      assertThat(json(reply).field("code").asString()).isEqualTo("FORBIDDEN");
    }
    for (String path :
        List.of(
            "/collections/shop/carts/insert",
            "/collections/shop/carts/ttl",
            "/collections/hr/pay/feed",
            "/collections/hr/pay/export",
            "/collections/cosmos%3Ashop/carts/export",
            "/cosmos",
            "/sweep/pause",
            "/clock",
            "/backup",
            "/users",
            "/unknown")) {
      assertThat(browser.tryPost(path, Document.EMPTY).statusCode()).as(path).isEqualTo(403);
    }
    for (String path : List.of("/slow", "/history", "/settings", "/collections/hr/pay", "/users")) {
      assertThat(browser.send("GET", "/_mayfly" + path, "").statusCode()).as(path).isEqualTo(403);
    }
  }

  @Test
  void anUnknownRequestOrCollectionIsMissing() {
    assertThat(browser.send("GET", "/_mayfly/nothing", "").statusCode()).isEqualTo(404);
    assertThat(
            browser
                .tryPost("/collections/no/such/save", body("key", "1", "version", "", "text", "{}"))
                .statusCode())
        .isEqualTo(404);
    assertThat(
            browser
                .tryPost("/collections/db/c/feed", Document.writer().put("most", 0).build())
                .statusCode())
        .isIn(400, 404);
  }
}
