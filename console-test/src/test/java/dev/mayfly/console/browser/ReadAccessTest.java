package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;

import com.microsoft.playwright.Page;
import dev.mayfly.expiry.ManualClock;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A console that may only read: the server refuses every change, and pages show the reason. */
class ReadAccessTest {
  private static final Map<String, String> CHANGES =
      Map.of(
          "/mongo", Shop.Session.command("shop", "{'drop':'carts'}"),
          "/cosmos", "{\"method\":\"POST\",\"path\":\"/dbs\",\"body\":\"{\\\"id\\\":\\\"x\\\"}\"}",
          "/collections/shop/carts/ttl", "{\"default\":1}",
          "/collections/shop/carts/insert", "{\"text\":\"{}\"}",
          "/clock", "{\"advanceMillis\":1000}",
          "/sweep/pause", "{}",
          "/sample", "{}",
          "/backup", "{\"directory\":\"anywhere\"}");

  @RegisterExtension
  final OwnServer server =
      new OwnServer(
          settings ->
              settings
                  .withClock(new ManualClock(0))
                  .withConsole(settings.console().withReadOnly(true).withLabel("production red")));

  @RegisterExtension final Console console = new Console(server::origin);

  @Test
  void pagesShowTheReasonAndNoButtonsThatChange() {
    server.collection("shop", "carts", 2);
    Page page = console.open("c/shop/carts/documents");
    assertThat(page.locator(".label-bar")).hasText("production");
    assertThat(page.locator(".bars"))
        .containsText("this console is read-only (setting console-access)");
    assertThat(page.locator("m-documents")).containsText("2 documents shown");
    for (String name : new String[] {"New…", "Drop…", "Rename…", "Insert…"}) {
      assertThat(button(page, name)).hasCount(0);
    }
    assertThat(button(page, "+1 h")).isDisabled();
    console.go(page, "server/users");
    assertThat(button(page, "Add a user…")).isDisabled();
    console.go(page, "server/health");
    assertThat(button(page, "Pause the sweep")).hasCount(0);
  }

  @Test
  void theServerRefusesEveryChange() {
    server.collection("shop", "carts", 2);
    Shop.Session session = Shop.Session.open(server.origin(), "{}");
    CHANGES.forEach(
        (path, body) -> {
          var refused = session.send(path, body);
          Assertions.assertThat(refused.statusCode()).as(path).isEqualTo(403);
          Assertions.assertThat(refused.body()).as(path).contains("--console-access read");
        });
    Assertions.assertThat(session.mongo("shop", "{'count':'carts'}")).contains("\\\"n\\\":2");
  }
}
