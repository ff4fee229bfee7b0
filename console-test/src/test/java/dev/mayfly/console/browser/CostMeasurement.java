package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;

import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Measurements for an idle machine; no part of the suite. {@code -Dtest=CostMeasurement} runs them,
 * {@code -Dseconds=600} is how long the live view is watched. The figures are in the files {@code
 * target/console-first-page.txt} and {@code target/console-live-view.txt}.
 */
class CostMeasurement {
  private static final int OPENED = 7;
  private static final double FIRST_PAGE_MILLIS = 1_000;

  private static final int EACH_SECOND = 20;
  private static final int READ_EVERY_SECONDS = 10;
  private static final double MOST_GROWTH = 1.1;

  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  private final StringBuilder report = new StringBuilder();

  @Test
  void theFirstPageIsShownWithinASecond() throws IOException {
    Collection notes = mayfly.create("notes", CollectionSpec.mongo().withDefaultTtl(3600));
    for (int i = 0; i < 1_000; i++) {
      notes.insert(Document.writer().put("_id", i).put("text", "a note").build());
    }
    double overview = medianMillis("", "m-overview .tile");
    double documents = medianMillis("c/test/notes/documents", "m-documents [data-index='0']");
    write("first-page.txt");
    Assertions.assertThat(overview).as(report.toString()).isLessThan(FIRST_PAGE_MILLIS);
    Assertions.assertThat(documents).as(report.toString()).isLessThan(FIRST_PAGE_MILLIS);
  }

  /** Script that notes when something matches a selector for the first time. */
  private static String noteShown(String selector) {
    return """
    new MutationObserver(() => {
      if (!window.shownAt && document.querySelector("%s")) {
        window.shownAt = performance.now();
      }
    }).observe(document, {childList: true, subtree: true});
    """
        .formatted(selector);
  }

  /** Time from the navigation to the content, each time with an empty cache. */
  private double medianMillis(String path, String selector) {
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < OPENED; i++) {
      Page page = console.session(1280, ColorScheme.LIGHT);
      page.addInitScript(noteShown(selector));
      console.go(page, path);
      assertThat(page.locator(selector).first()).isVisible();
      millis.add(((Number) page.evaluate("() => window.shownAt")).doubleValue());
      page.context().close();
    }
    add("first page /" + path + " in ms", millis);
    return median(millis);
  }

  @Test
  void theHeapOfTheLiveViewStaysFlat() throws IOException {
    Collection notes = mayfly.create("notes", CollectionSpec.mongo().withDefaultTtl(5));
    Page page = console.open("c/test/notes/changes");
    page.getByLabel("insert").check();
    button(page, "From now").click();
    CDPSession session = page.context().newCDPSession(page);
    List<Double> heap = new ArrayList<>();
    int seconds = Integer.getInteger("seconds", 600);
    for (int second = 1; second <= seconds; second++) {
      for (int i = 0; i < EACH_SECOND; i++) {
        notes.insert(Document.writer().put("_id", second * EACH_SECOND + i).build());
      }
      mayfly.advance(Duration.ofSeconds(1));
      page.waitForTimeout(1_000);
      if (second % READ_EVERY_SECONDS == 0) {
        session.send("HeapProfiler.collectGarbage");
        heap.add(session.send("Runtime.getHeapUsage").get("usedSize").getAsDouble() / 1e6);
      }
    }
    add("heap of the live view in MB, every " + READ_EVERY_SECONDS + " s", heap);
    write("live-view.txt");
    // all rows are kept from the second quarter on
    int quarter = heap.size() / 4;
    double early = median(heap.subList(quarter, 2 * quarter + 1));
    double late = median(heap.subList(heap.size() - quarter - 1, heap.size()));
    Assertions.assertThat(late).as(report.toString()).isLessThan(MOST_GROWTH * early);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private void add(String what, List<Double> values) {
    report
        .append(what)
        .append(": ")
        .append(values.stream().map("%.1f"::formatted).collect(Collectors.joining(" ")))
        .append('\n');
  }

  private void write(String name) throws IOException {
    Files.writeString(Path.of("target", "console-" + name), report);
  }
}
