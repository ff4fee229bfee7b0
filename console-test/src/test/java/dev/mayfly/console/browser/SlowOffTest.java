package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pages of a server that keeps no slow operations. */
class SlowOffTest {
  @RegisterExtension
  final OwnServer server =
      new OwnServer(
          settings ->
              settings.withMongo(
                  settings
                      .mongo()
                      .withWork(settings.mongo().work().withSlowMillis(Integer.MAX_VALUE))));

  @RegisterExtension final Console console = new Console(server::origin);

  @Test
  void pagesSayThatSlowOperationsAreNotKept() {
    Page page = console.open("");
    assertThat(page.locator("m-overview")).containsText("Slow operations are not kept");
    console.go(page, "server/slow");
    assertThat(page.locator("m-slow")).containsText("Slow operations are not kept");
    assertThat(page.locator("m-slow")).not().containsText("2147483647");
  }
}
