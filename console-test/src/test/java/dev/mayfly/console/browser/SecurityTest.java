package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
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
    String status = Shop.Session.open(mayfly).post("/mongo", PING);
    Assertions.assertThat(status).contains("ok");
    assertThat(own.locator(".bars")).not().containsText("sweep is paused");
  }

  private static final String PING = "{\"database\":\"admin\",\"command\":\"{\\\"ping\\\":1}\"}";

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
