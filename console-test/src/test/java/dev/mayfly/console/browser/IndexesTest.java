package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;
import static dev.mayfly.console.browser.Console.dialog;
import static dev.mayfly.console.browser.Console.edit;
import static dev.mayfly.console.browser.Console.inDialog;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Indexes of a collection, indexing policy of a container, and facts about both. */
class IndexesTest {
  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  @Test
  void anIndexIsCreatedHiddenAndDropped() {
    notes();
    Page page = console.open("c/test/notes/indexes");
    button(page, "Create an index…").click();
    page.locator("#index-keys").fill("{n: -1}");
    inDialog(page, "Next").click();
    inDialog(page, "Create").click();
    Locator row = page.locator("tr").filter(new Locator.FilterOptions().setHasText("n_-1"));
    assertThat(row).containsText("{\"n\":-1}");
    row.getByText("Hide").click();
    assertThat(row).containsText("hidden");
    row.getByText("Drop…").click();
    assertThat(inDialog(page, "Drop")).isDisabled();
    page.getByLabel("Type n_-1 to confirm").fill("n_-1");
    inDialog(page, "Drop").click();
    assertThat(row).hasCount(0);
  }

  @Test
  void aTtlIndexFirstReportsWhatItWouldExpire() {
    Collection notes = notes();
    Page page = console.open("c/test/notes/indexes");
    button(page, "Create an index…").click();
    page.locator("#index-keys").fill("{at: 1}");
    page.locator("#index-seconds").fill("60");
    inDialog(page, "Next").click();
    assertThat(dialog(page)).containsText("7 documents would expire at once.");
    Assertions.assertThat(notes.usage().documents()).isEqualTo(10);
    assertThat(inDialog(page, "Create")).isDisabled();
    page.getByLabel("Type notes to confirm").fill("notes");
    inDialog(page, "Create").click();
    assertThat(page.locator("tr").last()).containsText("expires after 1 min");
    Assertions.assertThat(notes.usage().documents()).isEqualTo(3);
  }

  @Test
  void aPolicyIsNotSavedOverAChangeOfSomebodyElse() {
    Shop.container(mayfly, "shop", "carts", 1800);
    Page mine = console.open("c/cosmos%3Ashop/carts/indexes");
    Page theirs = console.open("c/cosmos%3Ashop/carts/indexes");
    savePolicy(theirs, "theirs");
    assertThat(theirs.locator(".messages")).containsText("The indexing policy was changed.");
    savePolicy(mine, "mine");
    assertThat(mine.locator("m-indexes .problem")).containsText("Nothing was saved.");
    console.go(mine, "c/cosmos%3Ashop/carts/indexes");
    assertThat(Console.editor(mine, "Indexing policy")).containsText("/theirs/?");
    edit(mine, "Indexing policy", "{\"includedPaths\": [{\"path\": \"wrong\"}]}");
    button(mine, "Save").click();
    assertThat(mine.locator("m-indexes .problem")).containsText("The indexing path 'wrong'");
  }

  @Test
  void aboutNamesPartitionKeyThroughputAndValidator() {
    Shop.container(mayfly, "shop", "carts", 1800);
    notes();
    Shop.command(mayfly, "test", "{\"collMod\": \"notes\", \"validator\": {\"n\": {\"$gte\": 0}}}");
    Page page = console.open("c/cosmos%3Ashop/carts/about");
    assertThat(page.locator("m-about")).containsText("/customer");
    assertThat(page.locator("m-about")).containsText("400 RU/s");
    console.go(page, "c/test/notes/about");
    assertThat(page.locator("m-about")).containsText("strict, error");
    assertThat(page.locator("m-about")).containsText("\"$gte\": 0");
  }

  private static void savePolicy(Page page, String excluded) {
    edit(
        page,
        "Indexing policy",
        """
        {"indexingMode": "consistent", "automatic": true, "includedPaths": [{"path": "/*"}],
         "excludedPaths": [{"path": "/%s/?"}]}
        """
            .formatted(excluded));
    button(page, "Save").click();
  }

  /** Ten notes; the date of seven was more than a minute ago. */
  private Collection notes() {
    Collection notes = mayfly.create("notes", CollectionSpec.mongo());
    long now = mayfly.clock().now();
    for (int i = 0; i < 10; i++) {
      notes.insert(
          Document.writer()
              .put("_id", i)
              .put("n", i)
              .put("at", Value.date(now + (i < 7 ? -120_000 : 120_000)))
              .build());
    }
    return notes;
  }
}
