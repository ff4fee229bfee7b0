package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.mayfly.engine.Collection;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pictures of the documentation. With {@code -Dpictures=DIRECTORY} they are written there. */
class PicturesTest {
  private static final int WIDTH = 1180;
  private static final int LARGEST_BYTES = 150_000;

  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  @Test
  void thePagesOfACollectionAreShown() {
    Shop.container(mayfly, "shop", "carts", 1800);
    Collection carts = Shop.collection(mayfly, "cosmos:shop", "carts");
    for (int i = 0; i < 240; i++) {
      var cart =
          Document.writer().put("id", "cart-" + i).put("customer", "ada").put("items", i % 7);
      carts.insert((i % 4 == 0 ? cart.put("ttl", 600 + i * 60) : cart).build());
      mayfly.advance(Duration.ofSeconds(6));
    }
    Page page = console.open("c/cosmos%3Ashop/carts/ttl", WIDTH, ColorScheme.LIGHT);
    page.getByLabel("default: number").fill("10");
    button(page, "Preview").click();
    assertThat(page.locator("m-preview")).containsText("would expire at once");
    picture(page, "console-ttl.png");
    page = console.open("c/cosmos%3Ashop/carts/documents", WIDTH, ColorScheme.LIGHT);
    assertThat(page.locator("[role=row][data-index='0']")).containsText("in ");
    picture(page, "console-documents.png");
    page = console.open("c/cosmos%3Ashop/carts/forecast", WIDTH, ColorScheme.DARK);
    button(page, "minute").click();
    assertThat(page.locator("m-forecast h2")).containsText("by minute");
    picture(page, "console-forecast.png");
  }

  private static void picture(Page page, String name) {
    page.evaluate("() => window.scrollTo(0, 0)");
    Page.ScreenshotOptions options =
        new Page.ScreenshotOptions().setFullPage(true).setClip(0, 0, WIDTH, 800);
    String directory = System.getProperty("pictures", "");
    if (!directory.isEmpty()) {
      options.setPath(Path.of("..", directory, name));
    }
    Assertions.assertThat(page.screenshot(options)).hasSizeBetween(10_000, LARGEST_BYTES);
  }
}
