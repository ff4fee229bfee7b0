package dev.mayfly.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.cosmos.testing.Desk;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DatabasesTest {
  private final Desk desk = Desk.open();

  @AfterEach
  void close() {
    desk.close();
  }

  @Test
  void theAccountContainsTheAddressThatTheClientUsed() {
    Answer account = desk.get("/");
    assertThat(account.status()).isEqualTo(200);
    String endpoint = "http://127.0.0.1:" + desk.port() + "/";
    assertThat(account.list("writableLocations").getFirst().field("databaseAccountEndpoint"))
        .hasToString('"' + endpoint + '"');
    assertThat(account.string("userConsistencyPolicy.defaultConsistencyLevel"))
        .isEqualTo("Session");
  }

  @Test
  void aDatabaseIsCreatedReadListedAndDeleted() {
    Answer made = desk.post("/dbs", "{\"id\": \"sales\"}");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.header("etag")).isEqualTo(made.string("_etag"));
    assertThat(made.string("_self")).isEqualTo("dbs/" + made.string("_rid") + "/");
    assertThat(desk.get("/dbs/sales").body()).isEqualTo(made.body());
    assertThat(desk.get("/dbs/" + made.string("_rid")).body()).isEqualTo(made.body());
    assertThat(desk.get("/dbs").list("Databases")).containsExactly(made.body());
    assertThat(desk.delete("/dbs/sales").status()).isEqualTo(204);
    assertThat(desk.get("/dbs/sales").status()).isEqualTo(404);
    assertThat(desk.get("/dbs").list("Databases")).isEmpty();
  }

  @Test
  void aDuplicateDatabaseIdFailsWith409() {
    desk.post("/dbs", "{\"id\": \"sales\"}");
    Answer again = desk.post("/dbs", "{\"id\": \"sales\"}");
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.string("code")).isEqualTo("Conflict");
    assertThat(again.string("message"))
        .contains("already exists", "ActivityId: " + again.header("x-ms-activity-id"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{}", "{\"id\": 1}", "{\"id\": \"\"}", "{\"id\": \"a/b\"}", "[]", "{", ""})
  void aDatabaseWithoutAnIdIsRejected(String body) {
    Answer refused = desk.post("/dbs", body);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.string("code")).isEqualTo("BadRequest");
  }

  @Test
  void databasesSurviveARestart() {
    Document made = desk.post("/dbs", "{\"id\": \"sales\"}").body();
    desk.restart();
    assertThat(desk.get("/dbs/sales").body()).isEqualTo(made);
    assertThat(desk.post("/dbs", "{\"id\": \"other\"}").string("_rid"))
        .isNotEqualTo(made.field("_rid").asString());
  }

  @Test
  void databasesCanBeQueried() {
    desk.post("/dbs", "{\"id\": \"sales\"}");
    desk.post("/dbs", "{\"id\": \"other\"}");
    Answer found =
        desk.post(
            "/dbs",
            """
            {"query": "SELECT * FROM root r WHERE r.id=@id",
             "parameters": [{"name": "@id", "value": "sales"}]}\
            """,
            "x-ms-documentdb-isquery: true");
    assertThat(found.list("Databases")).hasSize(1);
    assertThat(found.header("x-ms-item-count")).isEqualTo("1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT VALUE d.id FROM d ORDER BY d.id DESC             | ["c","b2","b1","a"]
          SELECT VALUE d.id FROM d ORDER BY d.id OFFSET 1 LIMIT 2 | ["b1","b2"]
          SELECT VALUE COUNT(1) FROM d                            | [4]
          SELECT VALUE COUNT(1) FROM d WHERE d.id > "a"           | [3]
          SELECT DISTINCT VALUE LEFT(d.id, 1) FROM d              | ["a","b","c"]
          SELECT LEFT(d.id, 1) AS x, COUNT(1) AS n FROM d WHERE d.id < "c" GROUP BY LEFT(d.id, 1)\
                                      | [{"x":"a","n":1},{"x":"b","n":2}]
          SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE LEFT(d.id, 1) FROM d) | [3]
          """)
  void queriesOfDatabasesMayOrderAndAggregate(String query, String results) {
    for (String id : new String[] {"b1", "a", "c", "b2"}) {
      desk.post("/dbs", "{\"id\": \"" + id + "\"}");
    }
    String body = Json.write(Document.writer().put("query", query).build());
    Answer found = desk.post("/dbs", body, "x-ms-documentdb-isquery: true");
    assertThat(Json.write(found.at("Databases"))).isEqualTo(results);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "5", "\"@id\"", "[5]", "[{\"value\": 1}]"})
  void parametersAreAListOfNamesAndValues(String parameters) {
    String query = "{\"query\": \"SELECT * FROM c\", \"parameters\": " + parameters + "}";
    Answer refused = desk.post("/dbs", query, "x-ms-documentdb-isquery: true");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.string("message")).contains("'parameters' with names");
  }

  @Test
  void listsHavePagesOfTheRequestedSize() {
    for (String id : new String[] {"a", "b", "c"}) {
      desk.post("/dbs", "{\"id\": \"" + id + "\"}");
    }
    Answer first = desk.get("/dbs", "x-ms-max-item-count: 2");
    assertThat(first.list("Databases")).hasSize(2);
    Answer second =
        desk.get(
            "/dbs",
            "x-ms-max-item-count: 2",
            "x-ms-continuation: " + first.header("x-ms-continuation"));
    assertThat(second.list("Databases")).hasSize(1);
    assertThat(second.header("x-ms-continuation")).isEmpty();
    assertThat(desk.get("/dbs", "x-ms-continuation: nonsense").status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/what", "/dbs/a/what", "/dbs/none", "/offers/none"})
  void anUnknownPathFailsWith404AndABody(String path) {
    Answer refused = desk.get(path);
    assertThat(refused.status()).isEqualTo(404);
    assertThat(refused.string("code")).isEqualTo("NotFound");
  }

  @Test
  void oversizedRequestsFailWithStatusAndBody() {
    Answer header = desk.get("/dbs", "x-long: " + "x".repeat(70_000));
    assertThat(header.status()).isEqualTo(431);
    assertThat(header.string("code")).isEqualTo("RequestHeaderFieldsTooLarge");
    Answer path = desk.get("/dbs/" + "x".repeat(20_000));
    assertThat(path.status()).isEqualTo(414);
    assertThat(path.string("code")).isEqualTo("RequestUriTooLong");
  }

  @Test
  void clientEncryptionKeysAreStored() {
    desk.post("/dbs", "{\"id\": \"sales\"}");
    String keys = "/dbs/sales/clientencryptionkeys";
    String body = "{\"id\": \"dek\", \"wrappedDataEncryptionKey\": \"%s\"}";
    Answer made = desk.post(keys, body.formatted("AAEC"));
    assertThat(made.status()).isEqualTo(201);
    assertThat(desk.post(keys, body.formatted("AwQF")).status()).isEqualTo(409);
    assertThat(desk.get(keys + "/dek").body()).isEqualTo(made.body());
    assertThat(desk.put(keys + "/dek", body.formatted("BgcI")).status()).isEqualTo(200);
    assertThat(desk.get(keys).list("ClientEncryptionKeys"))
        .singleElement()
        .satisfies(
            key -> assertThat(key.field("wrappedDataEncryptionKey").asString()).isEqualTo("BgcI"));
    desk.delete("/dbs/sales");
    desk.post("/dbs", "{\"id\": \"sales\"}");
    assertThat(desk.get(keys + "/dek").status()).isEqualTo(404);
  }
}
