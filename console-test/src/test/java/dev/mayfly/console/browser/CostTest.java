package dev.mayfly.console.browser;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.ColorScheme;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.testkit.MayflyExtension;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a page costs, in bytes and requests. */
class CostTest {
  private static final int MOST_BYTES = 700_000;
  private static final int MOST_REQUESTS = 110;

  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  @Test
  void theFirstPageIsSmallAndLaterOnesComeFromTheCache() {
    mayfly.create("notes", CollectionSpec.mongo());
    Page page = console.session(1280, ColorScheme.LIGHT);
    List<Response> responses = new ArrayList<>();
    page.onResponse(responses::add);
    // with the editor, the largest part
    console.go(page, "c/test/notes/documents");
    Assertions.assertThat(bytes(responses)).isBetween(100_000L, (long) MOST_BYTES);
    Assertions.assertThat(responses).hasSizeLessThan(MOST_REQUESTS);

    responses.clear();
    console.go(page, "c/test/notes/documents");
    Assertions.assertThat(bytes(responses)).isLessThan(60_000);
  }

  private static long bytes(List<Response> responses) {
    long sum = 0;
    for (Response response : List.copyOf(responses)) {
      sum += response.request().sizes().responseBodySize;
    }
    return sum;
  }
}
