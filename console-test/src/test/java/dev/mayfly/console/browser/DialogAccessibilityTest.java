package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;
import static dev.mayfly.console.browser.Console.dialog;
import static dev.mayfly.console.browser.Console.edit;
import static dev.mayfly.console.browser.Console.field;
import static dev.mayfly.console.browser.Console.inDialog;
import static dev.mayfly.console.browser.Console.openText;
import static dev.mayfly.console.browser.Console.rows;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.SelectOption;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Write;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** WCAG 2.2 AA by axe in dialogs and panels that appear after a first step. */
class DialogAccessibilityTest {
  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  private final List<String> findings = new ArrayList<>();

  @AfterEach
  void nothingIsFound() {
    Assertions.assertThat(findings).isEmpty();
  }

  private void check(Page page, String name) {
    findings.addAll(Accessibility.findings(page, name));
    findings.addAll(Accessibility.overflow(page, name));
  }

  private void checkDialog(Page page, String title) {
    assertThat(dialog(page)).containsText(title);
    check(page, title);
  }

  private static void close(Page page) {
    page.keyboard().press("Escape");
    assertThat(dialog(page)).hasCount(0);
  }

  @Test
  void dialogsOfIndexes() {
    notes();
    Page page = console.open("c/test/notes/indexes");
    button(page, "Create an index…").click();
    page.locator("#index-keys").fill("{n: 1");
    inDialog(page, "Next").click();
    assertThat(page.locator("dialog[open] .problem")).isVisible();
    checkDialog(page, "Create an index");
    page.locator("#index-keys").fill("{n: 1}");
    inDialog(page, "Next").click();
    checkDialog(page, "Nothing expires at once.");
    inDialog(page, "Create").click();
    page.locator("m-indexes").getByText("Drop…").click();
    checkDialog(page, "Drop index n_1?");
    close(page);
    button(page, "Create an index…").click();
    page.locator("#index-keys").fill("{at: 1}");
    page.locator("#index-seconds").fill("60");
    inDialog(page, "Next").click();
    checkDialog(page, "documents would expire at once.");
    close(page);
    console.go(page, "c/test/notes/ttl");
    button(page, "Add a TTL index…").click();
    checkDialog(page, "Add a TTL index");
  }

  @Test
  void dialogsOfOneDocument() {
    notes();
    Page page = opened("c/test/notes/documents");
    button(page, "Live until…").click();
    field(page, "Deadline").fill("2030-03-01T00:00:01");
    checkDialog(page, "Live until…");
    inDialog(page, "Next").click();
    checkDialog(page, "This writes:");
    close(page);
    button(page, "Delete…").click();
    checkDialog(page, "Delete this document?");
    close(page);
    edit(page, "Document", openText(page).replace("\"first\"", "\"edited\""));
    rows(page).last().click();
    checkDialog(page, "Discard your changes?");
  }

  @Test
  void panelsOfOneDocument() {
    Collection notes = notes();
    Shop.command(
        mayfly,
        "test",
        """
        {"createIndexes": "notes", "indexes": [
          {"key": {"at": 1}, "name": "at_1", "expireAfterSeconds": 3600}]}
        """);
    Page page = opened("c/test/notes/documents");
    page.locator("m-life summary").click();
    edit(page, "Document", openText(page).replace("\"first\"", "first"));
    assertThat(page.locator("m-document .problem")).isVisible();
    check(page, "mistake in a document");
    edit(page, "Document", "{\"_id\": 0, \"text\": \"mine\", \"ttl\": 0}");
    assertThat(page.locator("m-document .warn-text").first()).isVisible();
    check(page, "warning in a document");
    edit(page, "Document", "{\"_id\": 0, \"text\": \"mine\"}");
    notes.write(new Write.Upsert(Document.writer().put("_id", 0).put("text", "theirs").build()));
    button(page, "Save").click();
    assertThat(page.locator("m-compare")).isVisible();
    check(page, "conflict");
    notes.write(new Write.Delete(DocumentKey.of(Value.of(0))));
    button(page, "Save mine over theirs").click();
    assertThat(page.locator("m-document .card.warn")).containsText("does not exist any more");
    check(page, "document that is gone");
  }

  @Test
  void viewsOfDocuments() {
    notes();
    Page page = console.open("c/test/notes/documents");
    assertThat(rows(page).first()).containsText("default TTL");
    page.locator("m-documents [data-index='0'] .check").click();
    rows(page).first().focus();
    check(page, "selected row");
    button(page, "Table").click();
    page.locator("m-results summary").click();
    check(page, "table");
    button(page, "JSON").click();
    check(page, "JSON");
    button(page, "Pipeline").click();
    edit(page, "Pipeline", "[{$wrong: 1}]");
    button(page, "Run").click();
    assertThat(page.locator("m-query .problem")).isVisible();
    check(page, "mistake in a query");
  }

  @Test
  void dialogsOfManyDocuments() {
    Collection notes = notes();
    Page page = console.open("c/test/notes/documents");
    assertThat(rows(page).first()).containsText("default TTL");
    button(page, "Export…").click();
    checkDialog(page, "Export documents");
    close(page);
    button(page, "Set ttl of all that match…").click();
    checkDialog(page, "Set ttl of 10 documents");
    close(page);
    button(page, "Delete all that match…").click();
    checkDialog(page, "Delete 10 documents?");
    close(page);
    button(page, "Save query…").click();
    field(page, "Name").fill("all");
    inDialog(page, "Save").click();
    assertThat(page.locator(".messages")).containsText("Saved as all.");
    page.getByLabel("Earlier queries")
        .selectOption(new SelectOption().setLabel("Delete saved queries…"));
    checkDialog(page, "Saved queries");
    close(page);

    page.locator("m-documents [data-index='0'] .check").click();
    button(page, "Set ttl of 1 selected…").click();
    checkDialog(page, "Set ttl of 1 document");
    close(page);
    notes.write(new Write.Upsert(Document.writer().put("_id", 0).put("text", "theirs").build()));
    button(page, "Delete 1 selected…").click();
    checkDialog(page, "Delete 1 document?");
    Held removal = Held.nth(1, page, Held.containing("/remove", ""));
    inDialog(page, "Delete").click();
    removal.await();
    checkDialog(page, "0 of 1 done…");
    removal.letGo();
    checkDialog(page, "0 was changed meanwhile");
  }

  @Test
  void dialogsOfTimeToLive() {
    Shop.container(mayfly, "shop", "carts", 1800);
    Shop.insert(mayfly, "cosmos:shop", "carts", "{\"id\": \"1\", \"customer\": \"ada\"}");
    mayfly.advance(Duration.ofMinutes(10));
    Page page = console.open("c/cosmos%3Ashop/carts/ttl");
    field(page, "default: number").fill("5");
    button(page, "Preview").click();
    page.locator("m-preview summary").first().click();
    check(page, "examples of a preview");
    page.locator("m-preview details button").first().click();
    checkDialog(page, "customer");
    close(page);
    button(page, "Apply…").click();
    field(page, "Type carts to confirm").fill("carts");
    inDialog(page, "Apply").click();
    button(page, "Undo…").click();
    checkDialog(page, "Undo the last change of the rules?");
    close(page);
    console.go(page, "c/cosmos%3Ashop/carts/forecast");
    page.locator("m-forecast summary").click();
    check(page, "table of a forecast");
  }

  @Test
  void detailsOfChanges() {
    Collection notes = notes();
    Shop.command(
        mayfly,
        "test",
        "{\"collMod\": \"notes\", \"changeStreamPreAndPostImages\": {\"enabled\": true}}");
    notes.write(new Write.Upsert(Document.writer().put("_id", 0).put("text", "new").build()));
    Page page = console.open("c/test/notes/changes");
    for (String kind : List.of("insert", "update", "replace")) {
      page.getByLabel(kind).check();
    }
    button(page, "From the oldest").click();
    Locator changes = page.locator("m-changes [role=row][data-index]");
    assertThat(changes).hasCount(11);
    check(page, "changes");
    changes.first().click();
    checkDialog(page, "Before");
    close(page);
    changes.last().click();
    checkDialog(page, "insert: 0");
    close(page);
    button(page, "Pause").click();
    console.go(page, "changes");
    button(page, "From the oldest").click();
    page.getByLabel("insert").check();
    assertThat(changes.first()).isVisible();
    check(page, "changes of all collections");
  }

  /** A document has an editor only after it was read. */
  private Page opened(String place) {
    Page page = console.session(1280, ColorScheme.LIGHT);
    console.go(page, place);
    rows(page).first().click();
    assertThat(page.locator("m-document m-editor")).containsText("first");
    return page;
  }

  /** Ten notes with a default TTL; the dates of seven are two minutes ago. */
  private Collection notes() {
    Collection notes = mayfly.create("notes", CollectionSpec.mongo().withDefaultTtl(3600));
    long now = mayfly.clock().now();
    for (int i = 0; i < 10; i++) {
      notes.insert(
          Document.writer()
              .put("_id", i)
              .put("text", "first")
              .put("at", Value.date(now + (i < 7 ? -120_000 : 120_000)))
              .build());
    }
    return notes;
  }
}
