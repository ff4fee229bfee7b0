package dev.mayfly.cosmos.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.value.Document;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Items that their writers want left out of the index. */
final class IndexingDirectiveTest {
  private static final String DOCS = Shop.DOCS;
  private static final String X = Shop.pk("x");
  private static final String EXCLUDE = "x-ms-indexing-directive: Exclude";
  private static final String INCLUDE = "x-ms-indexing-directive: include";
  private static final String KEY = "'partitionKey':{'paths':['/pk'],'kind':'Hash'}";
  private static final String SELECTED =
      "{'id':'items'," + KEY + ",'indexingPolicy':{'automatic':false}}";

  private final Shop shop = Shop.inMemory();

  @AfterEach
  void close() {
    shop.close();
  }

  private void plain() {
    shop.container("{'id':'items'," + KEY + "}");
  }

  private Answer create(String id, String... headers) {
    String[] all = Arrays.copyOf(headers, headers.length + 1);
    all[headers.length] = X;
    return shop.send("POST", DOCS, "{'id':'%s','pk':'x','n':1}".formatted(id), all);
  }

  private List<String> found(String condition, String... headers) {
    String[] all = Arrays.copyOf(headers, headers.length + 1);
    all[headers.length] = "x-ms-documentdb-isquery: true";
    String body = "{'query':'SELECT * FROM c WHERE %s'}".formatted(condition);
    return shop.send("POST", DOCS, body, all).ids();
  }

  private String counted() {
    String[] query = {"x-ms-documentdb-isquery: true"};
    Answer answer = shop.send("POST", DOCS, "{'query':'SELECT VALUE COUNT(1) FROM c'}", query);
    return answer.body().field("Documents").toString();
  }

  @Test
  void excludedItemsAreFoundOnlyByIdAndByScans() {
    plain();
    assertThat(create("in").status()).isEqualTo(201);
    Answer out = create("out", EXCLUDE);
    assertThat(out.status()).isEqualTo(201);
    assertThat(found("c.n = 1")).containsExactly("in");
    assertThat(found("true")).containsExactly("in");
    assertThat(found("c.pk = \\\"x\\\" AND c.n >= 0", X)).containsExactly("in");
    assertThat(counted()).isEqualTo("[1]");
    assertThat(found("c.n = 1", "x-ms-documentdb-query-enable-scan: true"))
        .containsExactlyInAnyOrder("in", "out");
    assertThat(found("c.id = \\\"out\\\"")).containsExactly("out");
    assertThat(found("c.id IN (\\\"in\\\", \\\"out\\\")")).containsExactlyInAnyOrder("in", "out");
    assertThat(found("c.id = \\\"out\\\" OR c.n = 1")).containsExactly("in");
    assertThat(shop.get(DOCS + "/out", X).status()).isEqualTo(200);
    assertThat(shop.get(Shop.self(out.body()), X).status()).isEqualTo(200);
    assertThat(shop.get(DOCS).ids()).containsExactlyInAnyOrder("in", "out");
    assertThat(shop.get(DOCS, "a-im: Incremental Feed").ids()).containsExactly("in", "out");
  }

  @Test
  void clientsDoNotSeeTheUnindexedFlag() {
    plain();
    Document made = create("out", EXCLUDE).body();
    assertThat(made.toString()).startsWith("{\"id\":\"out\",\"pk\":\"x\",\"n\":1,\"_rid\"");
    assertThat(shop.get(DOCS + "/out", X).body()).isEqualTo(made);
    assertThat(shop.get(DOCS).text()).doesNotContain("mayfly");
    String[] scan = {"x-ms-documentdb-isquery: true", "x-ms-documentdb-query-enable-scan: true"};
    for (String sql : List.of("SELECT * FROM c", "SELECT VALUE ObjectToArray(c) FROM c")) {
      Answer rows = shop.send("POST", DOCS, "{'query':'" + sql + "'}", scan);
      assertThat(rows.text()).contains("out").doesNotContain("mayfly");
    }
    String sent = "{'id':'own','pk':'x','_mayflyUnindexed':true}";
    assertThat(shop.send("POST", DOCS, sent, X).status()).isEqualTo(201);
    assertThat(found("c.pk = \\\"x\\\"")).containsExactly("own");
  }

  @Test
  void changeFeedVersionsOmitTheUnindexedFlag() {
    plain();
    String[] now = {"a-im: Full-Fidelity Feed", "if-none-match: *"};
    String begin = shop.get(DOCS, now).header("etag");
    create("out", EXCLUDE);
    shop.send("PUT", DOCS + "/out", "{'id':'out','pk':'x','n':2}", X, EXCLUDE);
    shop.send("DELETE", DOCS + "/out", "", X);
    String[] since = {"a-im: Full-Fidelity Feed", "if-none-match: " + begin};
    Answer changes = shop.get(DOCS, since);
    assertThat(changes.list("Documents")).hasSize(3);
    assertThat(changes.text()).contains("previous").doesNotContain("mayfly");
  }

  @Test
  void eachWriteSetsTheIndexingDirective() {
    plain();
    create("a", EXCLUDE);
    assertThat(found("c.n = 1")).isEmpty();
    String patch = "[{'op':'set','path':'/m','value':1}]";
    assertThat(shop.send("PATCH", DOCS + "/a", patch, X).body().field("m").asLong()).isEqualTo(1);
    assertThat(found("c.n = 1")).containsExactly("a");
    assertThat(shop.send("PATCH", DOCS + "/a", patch, X, EXCLUDE).status()).isEqualTo(200);
    assertThat(found("c.n = 1")).isEmpty();
    shop.send("PUT", DOCS + "/a", "{'id':'a','pk':'x','n':1}", X);
    assertThat(found("c.n = 1")).containsExactly("a");
    String batch = "[{'operationType':'Upsert','resourceBody':{'id':'a','pk':'x','n':1}}]";
    String[] atomic = {
      X, EXCLUDE, "x-ms-cosmos-is-batch-request: true", "x-ms-cosmos-batch-atomic: true"
    };
    assertThat(shop.send("POST", DOCS, batch, atomic).text()).doesNotContain("mayfly");
    assertThat(found("c.n = 1")).isEmpty();
  }

  @Test
  void manualPoliciesIndexOnlyIncludedItems() {
    shop.container(SELECTED);
    create("out");
    create("in", INCLUDE);
    create("default", "x-ms-indexing-directive: Default");
    assertThat(found("c.n = 1")).containsExactly("in");
    assertThat(counted()).isEqualTo("[1]");
    shop.restart();
    assertThat(found("c.n = 1")).containsExactly("in");
    String automatic = SELECTED.replace("false", "true");
    assertThat(shop.send("PUT", "/dbs/db/colls/items", automatic).status()).isEqualTo(200);
    assertThat(found("c.n = 1")).containsExactly("in");
    create("later");
    shop.restart();
    assertThat(found("c.n = 1")).containsExactlyInAnyOrder("in", "later");
  }

  @Test
  void indexingModeNoneFindsAllItems() {
    shop.container(
        "{'id':'items'," + KEY + ",'indexingPolicy':{'indexingMode':'none','automatic':false}}");
    create("a");
    create("b", EXCLUDE);
    assertThat(found("c.n = 1")).containsExactlyInAnyOrder("a", "b");
    assertThat(counted()).isEqualTo("[2]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Never", "1"})
  void anInvalidIndexingDirectiveIsRejected(String directive) {
    plain();
    assertThat(create("a", "x-ms-indexing-directive: " + directive).status()).isEqualTo(400);
  }
}
