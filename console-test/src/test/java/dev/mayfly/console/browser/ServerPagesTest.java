package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;
import static dev.mayfly.console.browser.Console.field;
import static dev.mayfly.console.browser.Console.link;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Pages of the server: health, slow and running operations, backup, settings, connect. */
class ServerPagesTest {
  @TempDir Path directory;

  /** Every operation is slow. */
  @RegisterExtension
  final OwnServer server =
      new OwnServer(
          settings ->
              settings
                  .withData(directory.resolve("data"))
                  .withMongo(settings.mongo().withWork(settings.mongo().work().withSlowMillis(0))));

  @RegisterExtension final Console console = new Console(server::origin);

  @Test
  void theSweepIsPausedWithAWarningOnEveryPage() {
    Page page = console.open("server/health");
    button(page, "Pause the sweep").click();
    assertThat(page.locator(".bars")).containsText("The sweep is paused");
    Assertions.assertThat(server.server().mayfly().engine().sweepPaused()).isTrue();
    console.go(page, "connect");
    assertThat(page.locator(".bars")).containsText("The sweep is paused");
    link(page, "Resume it").click();
    button(page, "Resume the sweep").click();
    assertThat(page.locator(".bars")).not().containsText("The sweep is paused");
    Assertions.assertThat(server.server().mayfly().engine().sweepPaused()).isFalse();
  }

  @Test
  void leavingThePageOfUsersRemovesNobody() {
    Page page = console.open("server/users");
    assertThat(page.locator("m-users")).isVisible();
    link(page, "Health").click();
    assertThat(page.locator("m-health")).isVisible();
    assertThat(page.locator("m-users")).hasCount(0);
    assertThat(page.locator("dialog[open]")).hasCount(0);
  }

  @Test
  void aSlowOperationAppearsAndOpensAsAQuery() {
    server.collection("shop", "carts", 3);
    Page page = console.open("server/slow");
    Shop.Session.open(server.origin(), "{}")
        .mongo("shop", "{'find':'carts','filter':{'customer':'a secret','n':{'$gt':1}}}");
    Locator row =
        page.locator("m-slow [role=row][data-index]")
            .filter(new Locator.FilterOptions().setHasText("shop.carts"));
    assertThat(row).containsText("find");
    field(page, "Door").selectOption("cosmos");
    assertThat(row).hasCount(0);
    field(page, "Door").selectOption("mongo");
    field(page, "Time").selectOption("300");
    field(page, "Collection or operation").fill("carts");
    row.click();
    assertThat(page.locator("m-slow section")).containsText("\"customer\": \"?\"");
    assertThat(page.locator("m-slow")).not().containsText("a secret");
    button(page, "Open as a query").click();
    assertThat(page.locator("h1")).hasText("carts");
    assertThat(page.locator("m-query m-editor").first()).containsText("\"customer\": \"?\"");
  }

  @Test
  void aRunningOperationIsStopped() {
    server.collection("shop", "carts", 1);
    Shop.Session session = Shop.Session.open(server.origin(), "{}");
    String opened =
        session.mongo(
            "shop", "{'aggregate':'carts','pipeline':[{'$changeStream':{}}],'cursor':{}}");
    String cursor = opened.replaceAll(".*\"cursor\":\"(\\d+)\".*", "$1");
    String more =
        "{'getMore':{'$numberLong':'%s'},'collection':'carts','maxTimeMS':120000}"
            .formatted(cursor);
    CompletableFuture<Integer> waiting =
        CompletableFuture.supplyAsync(
            () -> session.send("/mongo", Shop.Session.command("shop", more)).statusCode());
    Page page = console.open("server/running");
    Locator row =
        page.locator("m-running tbody tr")
            .filter(new Locator.FilterOptions().setHasText("getMore"));
    assertThat(row).containsText("shop.carts");
    row.getByText("Stop").click();
    assertThat(page.locator(".messages")).containsText("The operation will stop");
    Assertions.assertThat(waiting.join()).isNotEqualTo(200);
    assertThat(row).hasCount(0);
  }

  @Test
  void everythingIsBackedUpToANewDirectory() {
    server.collection("shop", "carts", 3);
    Page page = console.open("server/backup");
    field(page, "Directory on the server").fill(directory.toString());
    button(page, "Back up").click();
    assertThat(page.locator("m-backup .problem")).containsText("does not exist");
    Path copy = directory.resolve("copy");
    field(page, "Directory on the server").fill(copy.toString());
    button(page, "Back up").click();
    assertThat(page.locator("m-backup")).containsText("Copied to " + copy);
    assertThat(page.locator("m-backup")).containsText("mayfly restore " + copy);
    Assertions.assertThat(Files.isDirectory(copy)).isTrue();
  }

  @Test
  void connectShowsAddressesAndMasksTheKey() {
    Page page = console.open("connect");
    String port = server.server().mongo().connectionString().replaceAll("^.*:(\\d+)/.*", "$1");
    assertThat(page.locator("m-connect")).containsText("mongodb://localhost:" + port + "/");
    for (String language : new String[] {"Node", "Python", ".NET", "Spring", "Go", "Java"}) {
      choose(page, "Language for Cosmos DB", language);
      assertThat(page.locator("m-connect section").last())
          .containsText(console.origin().substring(4));
      assertThat(page.locator("m-connect section").last()).containsText("YOUR_KEY");
      choose(page, "Language for MongoDB", language);
      assertThat(page.locator("m-connect section").first()).containsText("mongodb://localhost:");
    }
    assertThat(page.locator("m-connect")).not().containsText(OwnServer.KEY);
  }

  private static void choose(Page page, String group, String name) {
    page.getByLabel(group)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true))
        .click();
  }
}
