package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;
import static dev.mayfly.console.browser.Console.dialog;
import static dev.mayfly.console.browser.Console.inDialog;

import com.microsoft.playwright.Page;
import dev.mayfly.engine.Collection;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
import java.time.Duration;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rules of a container: preview, guarded change, undo, forecast, live expiries. */
class TimeToLiveTest {
  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  @Test
  void aChangeIsPreviewedAppliedAndUndone() {
    Collection carts = carts(40);
    mayfly.advance(Duration.ofMinutes(10));
    fill(carts, 40, 60);
    Page page = console.open("c/cosmos%3Ashop/carts/ttl");
    assertThat(page.locator("m-rules-now")).containsText("30 minutes after their last write");
    assertThat(button(page, "Preview")).isDisabled();

    page.getByLabel("default: number").fill("5");
    button(page, "Preview").click();
    assertThat(page.locator("m-preview")).containsText("40 documents would expire at once");
    assertThat(page.locator("m-preview")).containsText("66.7 %");

    button(page, "Apply…").click();
    assertThat(inDialog(page, "Apply")).isDisabled();
    page.getByLabel("Type carts to confirm").fill("carts");
    inDialog(page, "Apply").click();
    assertThat(page.locator(".messages")).containsText("40 documents expired");
    Assertions.assertThat(carts.usage().documents()).isEqualTo(20);

    assertThat(page.locator("m-undo")).containsText("40 documents");
    button(page, "Undo…").click();
    inDialog(page, "Undo").click();
    assertThat(page.locator(".messages")).containsText("40 documents returned");
    assertThat(dialog(page)).hasCount(0);
    Assertions.assertThat(carts.usage().documents()).isEqualTo(60);
    assertThat(page.locator("m-rule-history")).containsText("40 documents expired at once");
  }

  @Test
  void aChangeIsRefusedIfMoreWouldExpireThanWasShown() {
    Collection carts = carts(10);
    Page page = console.open("c/cosmos%3Ashop/carts/ttl");
    page.getByLabel("default: number").fill("5");
    button(page, "Preview").click();
    assertThat(page.locator("m-preview")).containsText("Nothing expires at once");

    mayfly.advance(Duration.ofMinutes(6));
    button(page, "Apply").click();
    assertThat(page.locator("m-ttl")).containsText("Nothing was changed");
    assertThat(page.locator("m-preview")).containsText("10 documents would expire at once");
    Assertions.assertThat(carts.usage().documents()).isEqualTo(10);
  }

  @Test
  void theForecastEqualsTheEngines() {
    Collection carts = carts(30);
    mayfly.advance(Duration.ofMinutes(10));
    fill(carts, 30, 75);
    Page page = console.open("c/cosmos%3Ashop/carts/forecast");
    button(page, "minute").click();
    long within = carts.expiry().forecast(mayfly.clock().now() + 3_600_000).total().documents();
    assertThat(page.locator("m-forecast h2"))
        .containsText(within + " documents will expire in the next hour");
    page.locator("summary").click();
    assertThat(page.locator("m-forecast tbody tr")).hasCount(2);
    assertThat(page.locator("m-forecast tbody")).containsText("45");
  }

  @Test
  void anExpiryAppearsInTheLiveView() {
    carts(3);
    Page page = console.open("c/cosmos%3Ashop/carts/changes");
    assertThat(page.locator("m-changes")).containsText("Live.");
    page.waitForResponse(
        response -> response.url().endsWith("/feed"), () -> button(page, "From now").click());
    mayfly.advance(Duration.ofMinutes(31));
    assertThat(page.locator("m-changes [role=row][data-index]")).hasCount(3);
    assertThat(page.locator("m-changes [role=row][data-index='0']"))
        .containsText("Jan 1, 2030, 00:30:00");
  }

  private Collection carts(int documents) {
    Shop.container(mayfly, "shop", "carts", 1800);
    Collection carts = Shop.collection(mayfly, "cosmos:shop", "carts");
    fill(carts, 0, documents);
    return carts;
  }

  private static void fill(Collection carts, int from, int to) {
    for (int i = from; i < to; i++) {
      carts.insert(Document.writer().put("id", "cart-" + i).put("customer", "c" + i).build());
    }
  }
}
