package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;
import static dev.mayfly.console.browser.Console.field;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FilePayload;
import dev.mayfly.mongo.auth.Login;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** WCAG 2.2 AA by axe in panels of the server pages, of an import, and without the server. */
class ServerAccessibilityTest {
  /** All clients must log in, and every operation is slow. */
  @RegisterExtension
  final OwnServer server =
      new OwnServer(
          settings ->
              settings
                  .withMongo(
                      settings
                          .mongo()
                          .withLogin(Login.ALWAYS)
                          .withWork(settings.mongo().work().withSlowMillis(0)))
                  .withConsole(settings.console().withLabel("production red")));

  @RegisterExtension final Console console = new Console(server::origin);

  private final List<String> findings = new ArrayList<>();

  @AfterEach
  void nothingIsFound() {
    Assertions.assertThat(findings).isEmpty();
  }

  private void check(Page page, String name) {
    findings.addAll(Accessibility.findings(page, name));
    findings.addAll(Accessibility.overflow(page, name));
  }

  /** Opens a page with the key of the Cosmos door. */
  private Page loggedIn(String path) {
    Page page = console.session(1280, ColorScheme.LIGHT);
    console.go(page, path);
    page.getByLabel("Cosmos DB key").check();
    check(page, "login with the key");
    field(page, "Key").fill(OwnServer.KEY);
    button(page, "Log in").click();
    return page;
  }

  @Test
  void panelsOfTheServer() {
    server.collection("shop", "carts", 3);
    Shop.Session.open(server.origin(), "{\"key\":\"" + OwnServer.KEY + "\"}")
        .mongo("shop", "{'find':'carts','filter':{'customer':'ada','n':{'$gt':1}}}");
    Page page = loggedIn("server/slow");
    field(page, "Collection or operation").fill("carts");
    page.locator("m-slow [role=row][data-index='0']").click();
    assertThat(page.locator("m-slow section")).containsText("Shape");
    check(page, "details of a slow operation");

    console.go(page, "server/key");
    field(page, "Enter the key to show it").fill("wrong");
    button(page, "Show the key").click();
    assertThat(page.locator("m-key .problem")).isVisible();
    check(page, "wrong key");
    field(page, "Enter the key to show it").fill(OwnServer.KEY);
    button(page, "Show the key").click();
    assertThat(page.locator("m-key")).containsText(OwnServer.KEY);
    check(page, "key");

    console.go(page, "server/backup");
    field(page, "Directory on the server").fill("copy");
    button(page, "Back up").click();
    assertThat(page.locator("m-backup .problem")).isVisible();
    check(page, "refused backup");
  }

  @Test
  void importAndLostConnection() {
    server.collection("shop", "carts", 3);
    Page page = loggedIn("c/shop/carts/transfer");
    assertThat(page.locator("m-transfer")).isVisible();
    page.locator("#import-file")
        .setInputFiles(
            new FilePayload(
                "carts.jsonl",
                "application/json",
                "{\"_id\": \"carts-0\"}\n{\"_id\": \"new\"}\n".getBytes(UTF_8)));
    button(page, "Import").click();
    assertThat(page.locator("m-transfer")).containsText("Done: 1 document inserted, 1 refused");
    check(page, "import with a refusal");
    page.context().setOffline(true);
    button(page, "Import").click();
    assertThat(page.locator(".bars")).containsText("The server does not answer");
    check(page, "lost connection");
  }
}
