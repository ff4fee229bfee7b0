package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;
import static dev.mayfly.console.browser.Console.dialog;
import static dev.mayfly.console.browser.Console.edit;
import static dev.mayfly.console.browser.Console.inDialog;
import static dev.mayfly.console.browser.Console.openText;
import static dev.mayfly.console.browser.Console.rows;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.SelectOption;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.HexFormat;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Queries that are kept, documents found by their ids, refusals of a validator at their paths. */
class QueriesTest {
  private static final String PLACE = "c/test/notes/documents";
  private static final String HEX = "65a1b2c3d4e5f60718293a4b";

  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  @Test
  void aSavedQueryIsThereInAnotherTabAndCanBeDeleted() {
    notes(20);
    Page page = console.open(PLACE);
    edit(page, "Filter", "{n: {$gte: 15}}");
    button(page, "Save query…").click();
    page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("the <b>last</b>");
    inDialog(page, "Save").click();
    assertThat(page.locator(".messages")).containsText("Saved as the <b>last</b>.");

    Page other = console.open(PLACE);
    assertThat(rows(other)).hasCount(20);
    other
        .getByLabel("Earlier queries")
        .selectOption(new SelectOption().setLabel("the <b>last</b>"));
    assertThat(rows(other)).hasCount(5);
    assertThat(Console.editor(other, "Filter")).hasText("{n: {$gte: 15}}");

    other
        .getByLabel("Earlier queries")
        .selectOption(new SelectOption().setLabel("Delete saved queries…"));
    inDialog(other, "Delete the <b>last</b>").click();
    assertThat(inDialog(other, "Delete the <b>last</b>")).hasCount(0);
    inDialog(other, "Close").click();
    console.go(page, PLACE);
    assertThat(rows(page)).hasCount(20);
    assertThat(page.getByLabel("Earlier queries")).not().containsText("last");
  }

  @Test
  void anEarlierQueryOfTheTabRunsAgain() {
    notes(20);
    Page page = console.open(PLACE);
    edit(page, "Filter", "{n: 3}");
    button(page, "Run").click();
    assertThat(rows(page)).hasCount(1);
    edit(page, "Filter", "{n: {$lt: 9}}");
    button(page, "Run").click();
    assertThat(rows(page)).hasCount(9);
    page.getByLabel("Earlier queries").selectOption(new SelectOption().setLabel("{n: 3}"));
    assertThat(rows(page)).hasCount(1);
  }

  @Test
  void aPipelineRunsAndItsResultIsNoDocumentToChange() {
    notes(20);
    Page page = console.open(PLACE);
    assertThat(rows(page)).hasCount(20);
    button(page, "Pipeline").click();
    edit(page, "Pipeline", "[{$group: {_id: null, sum: {$sum: '$n'}}}]");
    page.keyboard().press("Control+Enter");
    assertThat(rows(page)).hasCount(1);
    assertThat(rows(page)).containsText("sum: 190");
    assertThat(button(page, "Delete all that match…")).isDisabled();
    rows(page).click();
    assertThat(page.locator(".messages")).containsText("it cannot be opened");
    assertThat(page.locator("m-document")).hasCount(0);
  }

  @Test
  void aDocumentIsFoundByItsIdWhateverItsType() {
    Collection notes = notes(100);
    notes.insert(
        Document.writer()
            .put("_id", Value.objectId(HexFormat.of().parseHex(HEX)))
            .put("text", "object")
            .build());
    notes.insert(Document.writer().put("_id", 42L).put("text", "number").build());
    Page page = console.open(PLACE);
    goTo(page, "note-99");
    assertThat(page.locator("m-document h2")).hasText("note-99");
    goTo(page, HEX);
    assertThat(page.locator("m-document m-editor")).containsText("\"object\"");
    goTo(page, "42");
    assertThat(page.locator("m-document m-editor")).containsText("\"number\"");
    goTo(page, "note-100");
    assertThat(page.locator(".messages")).containsText("No document has the id note-100.");
    assertThat(page.locator("m-document m-editor")).containsText("\"number\"");
  }

  @Test
  void itemsWithOneIdInTwoPartitionsAreListed() {
    Shop.container(mayfly, "shop", "carts", -1);
    Collection carts = Shop.collection(mayfly, "cosmos:shop", "carts");
    for (String customer : new String[] {"ada", "bob", "eve"}) {
      carts.insert(Document.writer().put("id", "one").put("customer", customer).build());
    }
    carts.insert(Document.writer().put("id", "two").put("customer", "ada").build());
    Page page = console.open("c/cosmos%3Ashop/carts/documents");
    assertThat(rows(page)).hasCount(4);
    goTo(page, "two");
    assertThat(page.locator("m-document h2")).hasText("two");
    goTo(page, "one");
    assertThat(rows(page)).hasCount(3);
  }

  @Test
  void aValidatorsRefusalIsShownAtItsPaths() {
    notes(1);
    Shop.command(
        mayfly,
        "test",
        """
        {"collMod": "notes", "validator": {"$jsonSchema": {"required": ["n"], "properties": {
          "n": {"bsonType": "int"}, "deep": {"properties": {"list": {"bsonType": "array"}}}}}}}
        """);
    Page page = console.open(PLACE);
    rows(page).first().click();
    assertThat(page.locator("m-document m-editor")).containsText("first");
    String text =
        openText(page).replace("\"n\": 0", "\"n\": \"zero\",\n  \"deep\": {\n \"list\": 5\n }");
    edit(page, "Document", text);
    button(page, "Save").click();
    assertThat(page.locator("m-document .problem")).containsText("n (line 3) type did not match");
    assertThat(page.locator("m-document .problem")).containsText("deep.list (line 5)");
    assertThat(page.locator("m-document .cm-lintRange-error")).hasCount(2);
    edit(page, "Document", text.replace("\"zero\"", "0").replace("5", "[]"));
    button(page, "Save").click();
    assertThat(page.locator(".messages")).containsText("Saved.");
  }

  @Test
  void aTextWhereARuleNeedsADateIsReportedWhileTyping() {
    notes(1);
    Shop.command(
        mayfly,
        "test",
        """
        {"createIndexes": "notes", "indexes": [
          {"key": {"at": 1}, "name": "at_1", "expireAfterSeconds": 60}]}
        """);
    Page page = console.open(PLACE);
    rows(page).first().click();
    assertThat(page.locator("m-document m-editor")).containsText("first");
    String text = openText(page);
    edit(page, "Document", text.replace("\"n\": 0", "\"at\": \"2026-01-01\""));
    assertThat(page.locator("m-document .warn-text"))
        .containsText("at is a text, not a date: by index at_1 this document never expires.");
    String date = "\"at\": {\"$date\": \"2026-01-01T00:00:00Z\"}";
    edit(page, "Document", text.replace("\"n\": 0", date));
    assertThat(page.locator("m-document .warn-text")).hasCount(0);
  }

  @Test
  void anEditIsNotLostByAClick() {
    Collection notes = notes(3);
    Page page = console.open(PLACE);
    rows(page).first().click();
    assertThat(page.locator("m-document m-editor")).containsText("first");
    edit(page, "Document", openText(page).replace("\"first\"", "\"edited\""));
    assertThat(button(page, "Expire now…")).isDisabled();
    assertThat(page.locator("m-life")).containsText("Save or discard your changes first.");
    rows(page).last().click();
    assertThat(dialog(page)).containsText("Discard your changes?");
    inDialog(page, "Cancel").click();
    assertThat(page.locator("m-document m-editor")).containsText("edited");
    button(page, "Save").click();
    assertThat(page.locator(".messages")).containsText("Saved.");
    assertThat(rows(page).first()).containsText("edited");
    Assertions.assertThat(notes.usage().documents()).isEqualTo(3);
  }

  private static void goTo(Page page, String id) {
    page.getByLabel("Go to id").fill(id);
    button(page, "Go").click();
  }

  private Collection notes(int documents) {
    Collection notes = mayfly.create("notes", CollectionSpec.mongo());
    for (int i = 0; i < documents; i++) {
      notes.insert(
          Document.writer().put("_id", "note-" + i).put("n", i).put("text", "first").build());
    }
    return notes;
  }
}
