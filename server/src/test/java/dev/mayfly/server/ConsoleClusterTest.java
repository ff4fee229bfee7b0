package dev.mayfly.server;

import static dev.mayfly.server.ConsoleBrowser.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Document;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The console of two servers of one cluster: each works for all databases. */
final class ConsoleClusterTest {
  private static final String CARTS = "/collections/shop/carts";

  private final HttpClient client = HttpClient.newHttpClient();
  private final MemoryCluster cluster = new MemoryCluster(2);
  private final List<ConsoleBrowser> browsers = new ArrayList<>();

  @BeforeEach
  void logIn() {
    for (Server server : cluster.servers()) {
      ConsoleBrowser browser = ConsoleBrowser.of(server, client);
      assertThat(browser.login("{}").statusCode()).isEqualTo(200);
      browsers.add(browser);
    }
    browsers.getFirst().mongo("shop", "{\"create\": \"carts\"}");
  }

  @AfterEach
  void close() {
    client.close();
    cluster.close();
  }

  private static Document field(String name, String value) {
    return Document.writer().put(name, value).build();
  }

  @Test
  void documentsAreWrittenAndTheirChangesReadAtEveryServer() {
    int id = 0;
    for (ConsoleBrowser browser : browsers) {
      Document inserted =
          browser.post(
              CARTS + "/insert",
              Document.writer().put("texts", texts("{\"_id\": " + id++ + "}")).build());
      assertThat(inserted.field("refused").toString()).isEqualTo("[]");
    }
    for (ConsoleBrowser browser : browsers) {
      Document changes = browser.post(CARTS + "/feed", field("after", "oldest"));
      assertThat(changes.field("changes").toString())
          .containsPattern("insert.*numberInt.*0.*insert.*numberInt.*1");
      assertThat(browser.get("/collections").toString()).contains("carts");
      assertThat(browser.get("/status").field("ready").asBoolean()).isTrue();
    }
  }

  @Test
  void aQueryThatIsSavedAtOneServerIsListedAtTheOther() {
    Document query = Document.writer().put("name", "mine").put("text", "{}").build();
    browsers.getFirst().put("/queries/mine", query);
    assertThat(browsers.getLast().get("/queries").toString()).contains("mine");
    browsers.getLast().delete("/queries/mine");
    assertThat(browsers.getFirst().get("/queries").toString()).doesNotContain("mine");
  }

  @Test
  void theListOfAllChangesNeedsAServerAlone() {
    for (ConsoleBrowser browser : browsers) {
      assertThat(browser.tryPost("/feed", Document.EMPTY).body()).contains("choose one");
    }
  }
}
