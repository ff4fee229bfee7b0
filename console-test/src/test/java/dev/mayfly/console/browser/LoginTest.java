package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;
import static dev.mayfly.console.browser.Console.dialog;
import static dev.mayfly.console.browser.Console.edit;
import static dev.mayfly.console.browser.Console.field;
import static dev.mayfly.console.browser.Console.inDialog;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Logging in and out, logins that end, roles, and the key. */
class LoginTest {
  private static final String DOCUMENTS = "c/shop/carts/documents";

  @RegisterExtension final OwnServer server = OwnServer.withAuth();
  @RegisterExtension final Console console = new Console(server::origin);

  @BeforeEach
  void fill() {
    server.user("ada", "root", "admin");
    server.user("bob", "read", "shop");
    server.user("carl", "readWrite", "shop");
    server.collection("shop", "carts", 3);
    server.collection("other", "secrets", 1);
  }

  private Page loggedIn(String user, String path) {
    Page page = console.session(1280, ColorScheme.LIGHT);
    console.go(page, path);
    logIn(page, user);
    return page;
  }

  private static void logIn(Page page, String user) {
    field(page, "User").fill(user);
    field(page, "Password").fill(user);
    button(page, "Log in").click();
  }

  @Test
  void aWrongPasswordIsRefusedAndTheRightOneOpensThePageThatWasAskedFor() {
    Page page = console.session(1280, ColorScheme.LIGHT);
    console.go(page, DOCUMENTS);
    field(page, "User").fill("ada");
    field(page, "Password").fill("wrong");
    button(page, "Log in").click();
    assertThat(page.locator(".problem")).containsText("password or the key is wrong");
    logIn(page, "ada");
    assertThat(page.locator("h1")).hasText("carts");
    assertThat(page.locator("m-topbar")).containsText("ada@admin");

    button(page, "Log out").click();
    assertThat(page.locator("h1")).hasText("Log in to Mayfly");
    page.reload();
    assertThat(page.locator("h1")).hasText("Log in to Mayfly");
  }

  @Test
  void theFormsAreAccessible() {
    List<String> findings = new ArrayList<>();
    Page page = console.session(1280, ColorScheme.LIGHT);
    console.go(page, DOCUMENTS);
    findings.addAll(Accessibility.findings(page, "login"));
    findings.addAll(Accessibility.overflow(page, "login"));
    logIn(page, "ada");
    assertThat(page.locator("m-documents")).containsText("3 documents shown");
    server.wall().advance(Duration.ofMinutes(31));
    button(page, "Run").click();
    assertThat(dialog(page)).containsText("The login has ended");
    findings.addAll(Accessibility.findings(page, "login again"));
    findings.addAll(Accessibility.overflow(page, "login again"));
    Assertions.assertThat(findings).isEmpty();
  }

  @Test
  void afterThreeWrongPasswordsTheServerWantsAWait() {
    Page page = console.session(1280, ColorScheme.LIGHT);
    console.go(page, "");
    field(page, "User").fill("ada");
    for (int attempt = 0; attempt < 4; attempt++) {
      field(page, "Password").fill("wrong");
      page.waitForResponse(
          response -> response.url().endsWith("/login"), () -> button(page, "Log in").click());
    }
    assertThat(page.locator(".problem")).containsText("Too many wrong attempts: try again in");
  }

  @Test
  void aLoginThatEndedIsAskedForOnTopAndTheRequestGoesOn() {
    Page page = loggedIn("ada", DOCUMENTS);
    assertThat(page.locator("m-documents")).containsText("3 documents shown");
    edit(page, "Filter", "{n: 2}");
    server.wall().advance(Duration.ofMinutes(31));
    button(page, "Run").click();
    assertThat(dialog(page)).containsText("The login has ended. The page stays as it is.");

    logIn(page, "ada");
    assertThat(dialog(page)).hasCount(0);
    assertThat(page.locator("m-documents")).containsText("1 document shown");
    assertThat(page.locator("m-query m-editor").first()).containsText("{n: 2}");
  }

  @Test
  void aNewLoginInAnotherTabIsTakenOver() {
    Page first = loggedIn("ada", DOCUMENTS);
    assertThat(first.locator("m-documents")).containsText("3 documents shown");
    server.wall().advance(Duration.ofMinutes(31));
    Page second = first.context().newPage();
    console.go(second, DOCUMENTS);
    logIn(second, "ada");
    assertThat(second.locator("m-documents")).containsText("3 documents shown");

    edit(first, "Filter", "{n: 1}");
    button(first, "Run").click();
    assertThat(first.locator("m-documents")).containsText("1 document shown");
    assertThat(dialog(first)).hasCount(0);
  }

  @Test
  void aReadOnlyRoleSeesItsDatabaseAndTheReason() {
    Page page = loggedIn("bob", DOCUMENTS);
    assertThat(page.locator(".bars")).containsText("your roles do not allow writes");
    assertThat(page.locator("m-documents")).containsText("3 documents shown");
    assertThat(page.locator("m-tree")).not().containsText("secrets");
    assertThat(button(page, "New…")).hasCount(0);
    assertThat(button(page, "Drop…")).hasCount(0);

    Shop.Session bob =
        Shop.Session.open(server.origin(), "{\"user\":\"bob\",\"password\":\"bob\"}");
    var refused =
        bob.send("/collections/shop/carts/remove", "{\"keys\":[{\"id\":\"\\\"carts-0\\\"\"}]}");
    Assertions.assertThat(refused.statusCode()).isEqualTo(403);
    Assertions.assertThat(refused.body()).contains("remove", "roles of your user");
    Assertions.assertThat(
            bob.send("/mongo", Shop.Session.command("shop", "{'drop':'carts'}")).statusCode())
        .isEqualTo(403);
  }

  @Test
  void aMissingRightIsExplainedOnThePage() {
    Page page = loggedIn("carl", "server/health");
    assertThat(page.locator("m-health")).containsText("This needs the privilege serverStatus");
    button(page, "Pause the sweep").click();
    assertThat(page.locator(".messages")).containsText("This needs the privilege setParameter");
    console.go(page, "server/users");
    assertThat(page.locator("m-users")).containsText("not authorized on admin");
    console.go(page, "");
    assertThat(page.locator("m-tree")).containsText("carts");
    Assertions.assertThat(server.server().mayfly().engine().sweepPaused()).isFalse();
  }

  @Test
  void aChangedPasswordEndsTheLogin() {
    Page page = loggedIn("carl", DOCUMENTS);
    assertThat(page.locator("m-documents")).containsText("3 documents shown");
    Shop.Session.open(server.origin(), "{\"key\":\"" + OwnServer.KEY + "\"}")
        .mongo("admin", "{'updateUser':'carl','pwd':'new'}");
    button(page, "Run").click();
    assertThat(dialog(page)).containsText("The login has ended");
    logIn(page, "carl");
    assertThat(page.locator("dialog[open] .problem")).containsText("wrong");
  }

  @Test
  void theKeyIsShownAfterItWasEnteredAgainAndHiddenAfterHalfAMinute() {
    Page page = console.session(1280, ColorScheme.LIGHT);
    page.clock().install();
    console.go(page, "server/key");
    page.getByLabel("Cosmos DB key").check();
    field(page, "Key").fill(OwnServer.KEY);
    button(page, "Log in").click();
    assertThat(page.locator("m-key")).containsText("Fingerprint");
    assertThat(page.locator("m-key")).not().containsText(OwnServer.KEY);

    field(page, "Enter the key to show it").fill("wrong");
    button(page, "Show the key").click();
    assertThat(page.locator("m-key .problem")).containsText("wrong");
    field(page, "Enter the key to show it").fill(OwnServer.KEY);
    button(page, "Show the key").click();
    assertThat(page.locator("m-key")).containsText(OwnServer.KEY);
    page.clock().fastForward(31_000);
    assertThat(page.locator("m-key")).not().containsText(OwnServer.KEY);
    Assertions.assertThat(console.asked()).noneMatch(request -> request.contains("/key?"));
  }

  @Test
  void usersAreAddedChangedAndRemoved() {
    Page page = loggedIn("ada", "server/users");
    button(page, "Add a user…").click();
    field(page, "Name").fill("<b>eve</b>");
    field(page, "Password").fill("eve");
    field(page, "Role 1").selectOption("read");
    field(page, "Database of role 1").fill("shop");
    inDialog(page, "Add a role").click();
    field(page, "Role 2").selectOption("clusterMonitor");
    inDialog(page, "Add").click();
    Locator row = page.locator("m-users tbody tr").filter(hasText("<b>eve</b>"));
    assertThat(row).containsText("read on shop");
    assertThat(row).containsText("clusterMonitor on admin");
    Assertions.assertThat(page.locator("m-users b").count()).isZero();

    row.getByText("Roles…").click();
    inDialog(page, "Take role 2 away").click();
    field(page, "Role 1").selectOption("readWrite");
    inDialog(page, "Change").click();
    assertThat(row).containsText("readWrite on shop");
    assertThat(row).not().containsText("clusterMonitor");

    row.getByText("Password…").click();
    field(page, "Password").fill("other");
    inDialog(page, "Change").click();
    assertThat(page.locator(".messages")).containsText("The password was changed");
    Shop.Session.open(server.origin(), "{\"user\":\"<b>eve</b>\",\"password\":\"other\"}");

    row.getByText("Remove…").click();
    assertThat(inDialog(page, "Remove")).isDisabled();
    field(page, "Type <b>eve</b> to confirm").fill("<b>eve</b>");
    inDialog(page, "Remove").click();
    assertThat(row).hasCount(0);
  }

  private static Locator.FilterOptions hasText(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }
}
