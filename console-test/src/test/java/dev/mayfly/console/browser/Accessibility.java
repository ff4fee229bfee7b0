package dev.mayfly.console.browser;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ViewportSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Checks of what a page shows now: WCAG 2 A to 2.2 AA by axe, and its width in small windows. */
final class Accessibility {
  private static final List<String> RULES =
      List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa");

  /** 640 px are 1280 px at a zoom of 200 %. */
  private static final List<Integer> WIDTHS = List.of(640, 360);

  private static final String TOO_WIDE =
      "() => [document.documentElement, ...document.querySelectorAll('dialog[open]')]"
          + ".map(each => each.scrollWidth - each.clientWidth).find(over => over > 0) ?? 0";

  private Accessibility() {}

  /** Returns what axe finds in light and in dark; each begins with the name of what is shown. */
  static List<String> findings(Page page, String name) {
    List<String> findings = new ArrayList<>();
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
      String where = name + " in " + scheme.name().toLowerCase(Locale.ROOT) + ": ";
      new AxeBuilder(page)
          .withTags(RULES)
          .analyze()
          .getViolations()
          .forEach(
              rule ->
                  findings.add(where + rule.getId() + " " + rule.getNodes().getFirst().getHtml()));
    }
    return findings;
  }

  /** Returns the small windows in which the page or a dialog would have to be scrolled sideways. */
  static List<String> overflow(Page page, String name) {
    ViewportSize before = page.viewportSize();
    List<String> findings = new ArrayList<>();
    for (int width : WIDTHS) {
      page.setViewportSize(width, before.height);
      int over = ((Number) page.evaluate(TOO_WIDE)).intValue();
      if (over > 0) {
        findings.add(name + " at " + width + " px: " + over + " px too wide");
      }
    }
    page.setViewportSize(before.width, before.height);
    return findings;
  }
}
