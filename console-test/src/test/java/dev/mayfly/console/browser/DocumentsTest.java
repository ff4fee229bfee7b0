package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;
import static dev.mayfly.console.browser.Console.edit;
import static dev.mayfly.console.browser.Console.inDialog;
import static dev.mayfly.console.browser.Console.openText;
import static dev.mayfly.console.browser.Console.rows;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.ColorScheme;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Write;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Documents of a collection: queries, edits without a lost update, work on many. */
class DocumentsTest {
  private static final long LARGE = 9_007_199_254_740_993L;

  /** Inserted in about 20 seconds by a busy machine with two cores. */
  private static final int MANY = 1_000_000;

  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  private final String place = "c/test/notes/documents";

  @Test
  void aWrongFilterIsExplainedAndARightOneRuns() {
    notes(20);
    Page page = console.open(place);
    assertThat(rows(page)).hasCount(20);
    edit(page, "Filter", "{n: {$lt: 5}");
    button(page, "Run").click();
    assertThat(page.locator(".problem")).containsText("Line 1, column 13");
    edit(page, "Filter", "{n: {$lt: 5}}");
    button(page, "Run").click();
    assertThat(rows(page)).hasCount(5);
    assertThat(page.locator("m-documents")).containsText("5 documents shown");
    button(page, "Count").click();
    assertThat(page.locator("m-documents")).containsText("5 documents match");
  }

  @Test
  void anEditKeepsTypesAndDigits() {
    Collection notes = notes(1);
    Page page = opened("note-0");
    assertThat(page.locator("m-editor").last()).containsText(Long.toString(LARGE));
    save(page, openText(page).replace("\"first\"", "\"second\""));
    assertThat(page.locator(".messages")).containsText("Saved");
    Document stored = notes.read(DocumentKey.of("note-0")).orElseThrow().document();
    Assertions.assertThat(stored.field("text").asString()).isEqualTo("second");
    Assertions.assertThat(stored.field("large")).isEqualTo(Value.of(LARGE));
  }

  @Test
  void aChangeOfSomebodyElseIsNotOverwritten() {
    Collection notes = notes(1);
    Page page = opened("note-0");
    String mine = openText(page).replace("\"first\"", "\"mine\"");
    notes.write(
        new Write.Upsert(Document.writer().put("_id", "note-0").put("text", "theirs").build()));
    save(page, mine);
    assertThat(page.locator("m-compare")).containsText("theirs");
    Assertions.assertThat(stored(notes)).isEqualTo("theirs");
    button(page, "Save mine over theirs").click();
    assertThat(page.locator(".messages")).containsText("Saved");
    Assertions.assertThat(stored(notes)).isEqualTo("mine");
  }

  @Test
  void aDocumentThatExpiredMeanwhileIsNotBroughtBack() {
    Collection notes = notes(1);
    Page page = opened("note-0");
    String mine = openText(page).replace("\"first\"", "\"mine\"");
    mayfly.advance(Duration.ofHours(2));
    save(page, mine);
    assertThat(page.locator("m-document")).containsText("does not exist any more");
    Assertions.assertThat(notes.usage().documents()).isZero();
    assertThat(button(page, "Insert again…")).isVisible();
  }

  @Test
  void aLifeIsNotChangedOverAChangeOfSomebodyElse() {
    Collection notes = notes(1);
    Page page = opened("note-0");
    button(page, "Never expire…").click();
    notes.write(
        new Write.Upsert(Document.writer().put("_id", "note-0").put("text", "theirs").build()));
    inDialog(page, "Write").click();
    assertThat(page.locator("dialog[open] .problem"))
        .containsText("The document was changed since it was read here. Nothing was written.");
    inDialog(page, "Cancel").click();
    assertThat(page.locator("m-document m-editor")).containsText("theirs");
    Document stored = notes.read(DocumentKey.of("note-0")).orElseThrow().document();
    Assertions.assertThat(stored.field("ttl").isMissing()).isTrue();
  }

  @Test
  void theListKeepsItsPlaceWhenADocumentIsSavedDeletedOrClosed() {
    Collection notes = notes(120);
    Page page = console.open(place);
    page.locator(".grid").focus();
    page.keyboard().press("End");
    assertThat(page.locator("m-documents")).containsText("100 documents shown");
    page.keyboard().press("End");
    assertThat(page.locator("m-documents")).containsText("120 documents shown");
    page.keyboard().press("End");
    Locator row = page.locator("m-documents [data-index='110']");
    row.click();
    assertThat(page.locator("m-document m-editor")).containsText("first");
    save(page, openText(page).replace("\"first\"", "\"second\""));
    assertThat(row).containsText("second");
    button(page, "Delete…").click();
    inDialog(page, "Delete").click();
    assertThat(row).containsText("gone");
    assertThat(page.locator("m-document")).hasCount(0);
    Assertions.assertThat(notes.usage().documents()).isEqualTo(119);
    page.locator("m-documents [data-index='111']").click();
    assertThat(page.locator("m-document m-editor")).containsText("first");
    page.locator("m-document").getByText("Close").click();
    assertThat(page.locator("m-document")).hasCount(0);
    assertThat(page.locator("dialog[open]")).hasCount(0);
    assertThat(row).isVisible();
  }

  @Test
  void aLargeDocumentIsFoldedAndReadOnly() {
    Collection notes = notes(0);
    List<Value> items = new ArrayList<>();
    for (int i = 0; i < 40_000; i++) {
      items.add(Value.of("item " + i + " of a long list"));
    }
    notes.insert(Document.writer().put("_id", "large").put("list", Value.array(items)).build());
    Page page = console.open(place);
    rows(page).first().click();
    assertThat(page.locator("m-document")).containsText("larger than 1 MiB");
    assertThat(page.locator("m-document .cm-foldPlaceholder")).hasCount(1);
    assertThat(page.locator("m-document .cm-line")).hasCount(4);
    assertThat(button(page, "Save")).hasCount(0);
    page.waitForDownload(() -> button(page, "Download").click());
  }

  @Test
  void manyAreInsertedAndDeleted() {
    Collection notes = notes(0);
    Page page = console.open(place);
    button(page, "Insert…").click();
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      lines.append("{_id: ").append(i).append(", n: ").append(i).append("}\n");
    }
    edit(page, "Documents to insert", lines.toString());
    inDialog(page, "Insert").click();
    assertThat(page.locator(".messages")).containsText("300 documents inserted");
    Assertions.assertThat(notes.usage().documents()).isEqualTo(300);

    edit(page, "Filter", "{n: {$gte: 100}}");
    button(page, "Delete all that match…").click();
    assertThat(page.locator("dialog[open]")).containsText("Delete 200 documents?");
    page.getByLabel("Type notes to confirm").fill("notes");
    inDialog(page, "Delete").click();
    assertThat(page.locator("m-progress")).containsText("200 of 200 done.");
    inDialog(page, "Close").click();
    Assertions.assertThat(notes.usage().documents()).isEqualTo(100);
  }

  @Test
  void manyDocumentsCostOnePageAtATime() {
    Collection notes = notes(0);
    List<Write> batch = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      batch.add(new Write.Insert(Document.writer().put("_id", i).build()));
      if (batch.size() == 5000) {
        notes.write(batch, Grouping.UNORDERED, Durability.LOGGED);
        batch.clear();
      }
    }
    Page page = console.session(1280, ColorScheme.LIGHT);
    List<Response> answers = new ArrayList<>();
    page.onResponse(answers::add);
    console.go(page, place);
    assertThat(page.locator("m-documents")).containsText("50 documents shown, more follow");
    assertThat(page.locator("m-documents")).containsText("51 looked at");
    Assertions.assertThat(rows(page).count()).isLessThanOrEqualTo(60);
    Locator grid = page.locator(".grid");
    for (int shown = 100; shown <= 300; shown += 50) {
      grid.focus();
      page.keyboard().press("End");
      assertThat(page.locator("m-documents")).containsText(shown + " documents shown");
      Assertions.assertThat(rows(page).count()).isLessThanOrEqualTo(60);
    }
    Assertions.assertThat(console.asked()).noneMatch(request -> request.contains("count\\\""));
    List<Integer> sizes =
        List.copyOf(answers).stream()
            .filter(answer -> answer.url().endsWith("/_mayfly/mongo"))
            .map(answer -> documents(answer.text()))
            .toList();
    Assertions.assertThat(sizes).hasSizeGreaterThanOrEqualTo(6).allMatch(size -> size <= 200);
  }

  /** Number of documents in an answer. */
  private static int documents(String answer) {
    Document body = Json.parse(answer, Limits.COSMOS);
    int number = 0;
    Fields each = body.field("documents").asDocument().fields();
    while (each.next()) {
      number++;
    }
    return number;
  }

  private Page opened(String id) {
    Page page = console.open(place);
    rows(page).filter(new Locator.FilterOptions().setHasText(id)).click();
    assertThat(page.locator("m-document m-editor")).containsText("first");
    return page;
  }

  private static void save(Page page, String text) {
    edit(page, "Document", text);
    button(page, "Save").click();
  }

  private static String stored(Collection notes) {
    return notes.read(DocumentKey.of("note-0")).orElseThrow().document().field("text").asString();
  }

  private Collection notes(int documents) {
    Collection notes = mayfly.create("notes", CollectionSpec.mongo().withDefaultTtl(3600));
    for (int i = 0; i < documents; i++) {
      notes.insert(
          Document.writer()
              .put("_id", "note-" + i)
              .put("n", i)
              .put("large", LARGE)
              .put("text", "first")
              .build());
    }
    return notes;
  }
}
