package dev.mayfly.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.AxeResults;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.mayfly.testkit.MayflyExtension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** WCAG 2.2 AA by axe on every page, in light and dark; no page is wider than its window. */
class AccessibilityTest {
  private static final List<String> PAGES =
      List.of(
          "",
          "c/sample/sessions/documents",
          "c/sample/sessions/ttl",
          "c/sample/sessions/forecast",
          "c/sample/sessions/changes",
          "c/sample/sessions/indexes",
          "c/sample/sessions/transfer",
          "c/sample/sessions/about",
          "c/cosmos%3Ashop/carts/documents",
          "c/cosmos%3Ashop/carts/ttl",
          "server/health",
          "server/slow",
          "server/running",
          "server/users",
          "server/key",
          "server/backup",
          "server/settings",
          "changes",
          "connect");

  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  @ParameterizedTest
  @EnumSource(names = {"LIGHT", "DARK"})
  void axeFindsNothingOnAnyPage(ColorScheme scheme) {
    fill();
    List<String> findings = new ArrayList<>();
    Page page = console.session(1280, scheme);
    for (String path : PAGES) {
      console.go(page, path);
      AxeResults results =
          new AxeBuilder(page)
              .withTags(List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"))
              .analyze();
      results
          .getViolations()
          .forEach(
              rule ->
                  findings.add(
                      path + ": " + rule.getId() + " " + rule.getNodes().getFirst().getHtml()));
    }
    assertThat(findings).isEmpty();
  }

  /** 640 px are 1280 px at a zoom of 200 %. */
  @Test
  void noPageIsWiderThanASmallWindow() {
    fill();
    List<String> findings = new ArrayList<>();
    for (int width : List.of(360, 640)) {
      Page page = console.session(width, ColorScheme.LIGHT);
      for (String path : PAGES) {
        console.go(page, path);
        Object over =
            page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth");
        if (((Number) over).intValue() > 0) {
          findings.add(path + " at " + width + " px: " + over);
        }
      }
    }
    assertThat(findings).isEmpty();
  }

  private void fill() {
    Shop.Session.open(mayfly).post("/sample", "{}");
    Shop.container(mayfly, "shop", "carts", 600);
  }
}
