package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;
import static dev.mayfly.console.browser.Console.dialog;
import static dev.mayfly.console.browser.Console.inDialog;
import static dev.mayfly.console.browser.Console.link;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Namespace;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
import java.time.Duration;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The main flows by keyboard alone: nothing in this class clicks. */
class KeyboardTest {
  private static final int MOST_TABS = 80;

  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  private Collection notes;

  @BeforeEach
  void fill() {
    notes = mayfly.create("notes", CollectionSpec.mongo().withDefaultTtl(3600));
    for (int i = 0; i < 5; i++) {
      notes.insert(Document.writer().put("_id", "note-" + i).put("text", "first").build());
    }
  }

  private static void press(Page page, String... keys) {
    for (String key : keys) {
      page.keyboard().press(key);
    }
  }

  /** Presses Tab until an element has the focus. */
  private static void tabTo(Page page, Locator target) {
    for (int i = 0; i < MOST_TABS; i++) {
      if ((boolean) target.evaluate("element => element.matches(':focus, :focus-within')")) {
        return;
      }
      press(page, "Tab");
    }
    throw new AssertionError("Tab does not reach " + target);
  }

  @Test
  void aCollectionIsFoundBrowsedAndADocumentEditedAndSaved() {
    Page page = console.open("");
    press(page, "Control+k");
    page.keyboard().type("test.notes doc");
    press(page, "Enter");
    assertThat(page.locator("h1")).hasText("notes");
    assertThat(page.locator("m-documents")).containsText("5 documents shown");

    press(page, "/");
    assertThat(page.locator("m-query m-editor").first()).containsText("{}");
    press(page, "Control+a", "Delete");
    page.keyboard().insertText("{_id: 'note-3'}");
    press(page, "Control+Enter");
    assertThat(page.locator("m-documents")).containsText("1 document shown");
    // the editor gives up the focus after Escape
    press(page, "Escape");
    tabTo(page, page.locator("m-documents [role=grid]"));
    press(page, "ArrowDown", "Home", "Enter");
    assertThat(page.locator("m-document m-editor")).containsText("first");

    Locator editor =
        page.getByRole(
            AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName("Document").setExact(true));
    tabTo(page, editor);
    press(page, "Control+a", "Delete");
    page.keyboard().insertText("{\"_id\": \"note-3\", \"text\": \"second\"}");
    press(page, "Control+s");
    assertThat(page.locator(".messages")).containsText("Saved");
    Assertions.assertThat(text("note-3")).isEqualTo("second");
  }

  @Test
  void theActiveRowShowsItsExactDeadline() {
    Page page = console.open("c/test/notes/documents");
    Locator grid = page.locator("m-documents [role=grid]");
    Locator exact =
        page.getByRole(AriaRole.ROW, new Page.GetByRoleOptions().setName("2030, 01:00:00"));
    assertThat(page.locator("m-documents")).containsText("in 1 h · default TTL");
    assertThat(exact).hasCount(0);
    tabTo(page, grid);
    assertThat(exact).hasCount(1);
    assertThat(exact).containsText("note-0");
    press(page, "ArrowDown");
    assertThat(exact).hasCount(1);
    assertThat(exact).containsText("note-1");
    press(page, "Tab");
    assertThat(exact).hasCount(0);
  }

  private String text(String id) {
    return notes.read(DocumentKey.of(id)).orElseThrow().document().field("text").asString();
  }

  @Test
  void aRuleIsPreviewedAppliedAndUndone() {
    mayfly.advance(Duration.ofMinutes(10));
    Page page = console.open("c/test/notes/documents");
    assertThat(page.locator("m-documents")).containsText("5 documents shown");
    page.locator("h1").focus();
    press(page, "g", "t");
    assertThat(page.locator("m-rules-now")).containsText("1 hour");
    tabTo(page, page.getByLabel("default: number"));
    press(page, "Control+a");
    page.keyboard().type("300");
    tabTo(page, page.getByLabel("default: unit"));
    page.keyboard().type("second");
    tabTo(page, button(page, "Preview"));
    press(page, "Enter");
    assertThat(page.locator("m-preview")).containsText("5 documents would expire at once");
    tabTo(page, button(page, "Apply…"));
    press(page, "Enter");
    tabTo(page, page.getByLabel("Type notes to confirm"));
    page.keyboard().type("notes");
    press(page, "Enter");
    assertThat(page.locator(".messages")).containsText("5 documents expired");
    Assertions.assertThat(notes.usage().documents()).isZero();

    tabTo(page, button(page, "Undo…"));
    press(page, "Enter");
    tabTo(page, inDialog(page, "Undo"));
    press(page, "Enter");
    assertThat(page.locator(".messages")).containsText("5 documents returned");
    Assertions.assertThat(notes.usage().documents()).isEqualTo(5);
  }

  @Test
  void theSkipLinkTheListOfKeysAndTheirSwitchWork() {
    Page page = console.open("");
    press(page, "Tab");
    assertThat(link(page, "Skip to the page")).isFocused();
    press(page, "Enter");
    assertThat(page.locator("main")).isFocused();

    press(page, "?");
    assertThat(dialog(page)).containsText("go to anything");
    tabTo(page, page.getByLabel("Single letters are keys"));
    press(page, "Space", "Escape");
    assertThat(dialog(page)).hasCount(0);
    press(page, "g", "s");
    assertThat(page.locator("h1")).hasText("Overview");
    press(page, "Control+k");
    assertThat(dialog(page)).isVisible();
    press(page, "Escape");
    assertThat(page.locator("main")).isFocused();
  }

  @Test
  void aCollectionIsDroppedAndTheFocusReturns() {
    Page page = console.open("c/test/notes/documents");
    Locator drop = button(page, "Drop…");
    tabTo(page, drop);
    press(page, "Enter");
    assertThat(page.getByLabel("Type notes to confirm")).isFocused();
    press(page, "Escape");
    assertThat(drop).isFocused();
    press(page, "Enter");
    page.keyboard().type("notes");
    press(page, "Enter");
    assertThat(page.locator("h1")).hasText("Overview");
    Assertions.assertThat(mayfly.engine().namespaces())
        .doesNotContain(new Namespace("test", "notes"));
  }
}
