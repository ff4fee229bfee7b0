package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Documents are never markup; nothing readable is kept; another origin gets nothing. */
class SecurityTest {
  private static final List<String> MARKUP =
      List.of(
          "<img src=x onerror=alert(1)>",
          "</script><script>alert(2)</script>",
          "\"><svg onload=alert(3)>",
          "javascript:alert(4)",
          "'${alert(5)}`",
          "\u202Egnp.exe");

  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  @Test
  void markupInDocumentsNamesAndKeysStaysText() {
    Collection hostile = mayfly.create("<b>bold</b>", CollectionSpec.mongo().withDefaultTtl(60));
    for (String markup : MARKUP) {
      hostile.insert(Document.writer().put("_id", markup).put(markup, markup).build());
    }
    String place = "c/test/%3Cb%3Ebold%3C%2Fb%3E/";
    for (String part : List.of("documents", "ttl", "forecast", "indexes", "about", "changes")) {
      Page page = console.open(place + part);
      assertThat(page.locator("h1")).hasText("<b>bold</b>");
      page.context().close();
    }
    Page page = console.open(place + "documents");
    for (String view : List.of("Table", "JSON", "List")) {
      Console.button(page, view).click();
      assertThat(page.locator("m-results")).containsText("onerror=alert(1)");
    }
    page.locator("[role=row][data-index='0']").click();
    assertThat(page.locator("m-document")).isVisible();
    Assertions.assertThat(page.locator("main img, main script, main b").count()).isZero();
    Assertions.assertThat((String) page.evaluate("() => document.cookie")).isEmpty();
    Assertions.assertThat(
            ((Number) page.evaluate("() => localStorage.length + sessionStorage.length"))
                .intValue())
        .isZero();
  }

  @Test
  void markupInNamesOfCollectionsAndUsersStaysText() {
    for (int i = 0; i < MARKUP.size(); i++) {
      String markup = MARKUP.get(i);
      if (markup.indexOf('$') < 0) {
        mayfly.create(markup, CollectionSpec.mongo().withDefaultTtl(60));
      }
      Shop.Session.open(mayfly)
          .post(
              "/mongo",
              "{\"database\":\"admin\",\"command\":"
                  + quoted(
                      "{\"createUser\":"
                          + quoted(markup)
                          + ",\"pwd\":\"x\",\"roles\":[{\"role\":\"read\",\"db\":"
                          + quoted(markup.replaceAll("[^a-z]", ""))
                          + "}]}")
                  + "}");
    }
    Page page = console.open("server/users");
    assertThat(page.locator("m-users")).containsText("</script><script>alert(2)</script>");
    assertThat(page.locator("m-tree")).containsText("<img src=x onerror=alert(1)>");
    page.locator("m-users tbody tr").first().getByText("Remove…").click();
    assertThat(page.locator("dialog[open]")).containsText("can no longer log in");
    page.keyboard().press("Escape");
    page.keyboard().press("Control+k");
    assertThat(page.locator("m-finder")).containsText("onerror=alert(1)");
    page.keyboard().press("Escape");
    for (String part : List.of("", "changes", "server/slow", "server/running")) {
      console.go(page, part);
      assertThat(page.locator("m-tree")).containsText("<img src=x onerror=alert(1)>");
    }
    page.locator("m-tree a").filter(hasText("alert(2)")).click();
    assertThat(page.locator("h1")).hasText("</script><script>alert(2)</script>");
    Console.button(page, "Drop…").click();
    assertThat(page.locator("dialog[open] h2")).hasText("Drop </script><script>alert(2)</script>?");
    Assertions.assertThat(page.locator("mayfly-app img, mayfly-app script, dialog script").count())
        .isZero();
  }

  private static Locator.FilterOptions hasText(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  /** A JSON string. */
  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  @Test
  void aForeignHostIsRefused() throws IOException {
    int port = URI.create(console.origin()).getPort();
    for (String path : List.of("/_console/", "/_mayfly/me")) {
      Assertions.assertThat(status(port, path, "localhost:" + port)).isNotEqualTo(403);
      for (String host :
          List.of("evil.example", "evil.example:" + port, "localhost.evil.example")) {
        Assertions.assertThat(status(port, path, host)).as(path + " " + host).isEqualTo(403);
      }
    }
  }

  /**
   * A browser lets no page choose the host, but a name of another site may lead to this machine.
   */
  private static int status(int port, String path, String host) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String head = "GET " + path + " HTTP/1.1\r\nhost: " + host + "\r\naccept: text/html\r\n";
      socket.getOutputStream().write((head + "connection: close\r\n\r\n").getBytes(US_ASCII));
      String reply = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      return Integer.parseInt(reply.substring(9, 12));
    }
  }

  @Test
  void anotherOriginReadsAndChangesNothing() {
    Page own = console.open("");
    Page foreign = own.context().newPage();
    foreign.navigate(console.origin().replace("localhost", "127.0.0.1") + "/_console/none.js");
    for (String request :
        List.of(
            "fetch('%s/_mayfly/collections', {credentials: 'include'})",
            "fetch('%s/_mayfly/sweep/pause', {method: 'POST', mode: 'no-cors', credentials:"
                + " 'include'})")) {
      String outcome =
          (String)
              foreign.evaluate(
                  "() => "
                      + request.formatted(console.origin())
                      + ".then(r => r.type === 'opaque' ? 'opaque' : 'read ' + r.status, () =>"
                      + " 'refused')");
      Assertions.assertThat(outcome).isIn("refused", "opaque");
    }
    Assertions.assertThat(mayfly.engine().sweepPaused()).isFalse();
    assertThat(own.locator(".bars")).not().containsText("sweep is paused");
  }

  @Test
  void theThemeCanBeSwitchedForTheTab() {
    Page page = console.open("", 1280, ColorScheme.DARK);
    String dark = colour(page);
    Console.button(page, "Theme: system").click();
    Assertions.assertThat(colour(page)).isNotEqualTo(dark);
  }

  private static String colour(Page page) {
    return (String)
        page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor");
  }
}
