package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;
import static dev.mayfly.console.browser.Console.dialog;
import static dev.mayfly.console.browser.Console.edit;
import static dev.mayfly.console.browser.Console.inDialog;

import com.microsoft.playwright.Page;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Work on many documents: counted first, confirmed by the name, in batches, stopped halfway. */
class ManyTest {
  private static final int MANY = 500;

  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  @Test
  void deletionInACollectionIsStoppedHalfway() {
    Collection notes = notes();
    Page page = console.open("c/test/notes/documents");
    Held second = Held.nth(2, page, Held.containing("/mongo", "\\\"deletes\\\""));
    edit(page, "Filter", "{n: {$lt: 450}}");
    confirm(page, "Delete all that match…", "notes", "Delete 450 documents?", "Delete");
    stop(page, second, "400 of 450 done, stopped.");
    Assertions.assertThat(notes.usage().documents()).isEqualTo(MANY - 400);
  }

  @Test
  void deletionInAContainerIsStoppedHalfway() {
    Collection carts = carts();
    Page page = console.open("c/cosmos%3Ashop/carts/documents");
    Held second = Held.nth(2, page, Held.containing("/remove", ""));
    edit(page, "Query in SQL", "SELECT * FROM c WHERE c.n < 450 ORDER BY c.n DESC");
    confirm(page, "Delete all that match…", "carts", "Delete 450 documents?", "Delete");
    stop(page, second, "400 of 450 done, stopped.");
    Assertions.assertThat(carts.usage().documents()).isEqualTo(MANY - 400);
  }

  @Test
  void deletionLeavesDocumentsThatNoLongerMatch() {
    Collection notes = notes();
    Page page = console.open("c/test/notes/documents");
    Held first = Held.nth(1, page, Held.containing("/mongo", "\\\"deletes\\\""));
    edit(page, "Filter", "{n: {$lt: 10}}");
    confirm(page, "Delete all that match…", "notes", "Delete 10 documents?", "Delete");
    first.await();
    change(notes, "note-3");
    first.letGo();
    assertThat(page.locator("m-progress")).containsText("9 of 10 done.");
    Assertions.assertThat(notes.read(DocumentKey.of("note-3"))).isPresent();
    Assertions.assertThat(notes.usage().documents()).isEqualTo(MANY - 9);
  }

  private static void change(Collection notes, String id) {
    notes.write(
        new dev.mayfly.engine.Write.Upsert(
            Document.writer().put("_id", id).put("n", 1000).build()));
  }

  @Test
  void selectedDocumentsAreDeletedUnlessTheyWereChangedMeanwhile() {
    Collection notes = notes();
    Page page = console.open("c/test/notes/documents");
    select(page, 3);
    change(notes, "note-1");
    button(page, "Delete 3 selected…").click();
    inDialog(page, "Delete").click();
    assertThat(page.locator("m-progress")).containsText("2 of 3 done.");
    assertThat(page.locator("m-progress")).containsText("note-1 was changed meanwhile");
    inDialog(page, "Close").click();
    Assertions.assertThat(notes.read(DocumentKey.of("note-1"))).isPresent();
    Assertions.assertThat(notes.usage().documents()).isEqualTo(MANY - 2);
  }

  /** The texts of a list are read before the versions. */
  @Test
  void aDocumentThatChangesWhileItsListIsReadIsNotDeleted() {
    Collection notes = notes();
    Page page = console.open("c/test/notes/documents");
    assertThat(page.locator("m-countdown").first()).isVisible();
    Held versions = Held.nth(1, page, Held.containing("/lives", ""));
    button(page, "Run").click();
    versions.await();
    change(notes, "note-1");
    versions.letGo();
    assertThat(button(page, "Run")).isVisible();
    select(page, 3);
    button(page, "Delete 3 selected…").click();
    inDialog(page, "Delete").click();
    assertThat(page.locator("m-progress")).containsText("note-1 was changed meanwhile");
    inDialog(page, "Close").click();
    Assertions.assertThat(notes.read(DocumentKey.of("note-1"))).isPresent();
  }

  @Test
  void ttlOfSelectedDocumentsIsSetUnlessTheyWereChangedMeanwhile() {
    Collection notes = notes();
    Page page = console.open("c/test/notes/documents");
    select(page, 3);
    change(notes, "note-1");
    notes.write(new dev.mayfly.engine.Write.Delete(DocumentKey.of("note-10")));
    setTtlOfSelected(page);
    assertThat(page.locator("m-progress")).containsText("1 of 3 done.");
    assertThat(page.locator("m-progress")).containsText("note-1 was changed meanwhile");
    assertThat(page.locator("m-progress")).containsText("note-10 does not exist any more");
    inDialog(page, "Close").click();
    Assertions.assertThat(ttl(notes, DocumentKey.of("note-0"))).isEqualTo(Value.of(60));
    Assertions.assertThat(ttl(notes, DocumentKey.of("note-1")).isMissing()).isTrue();
    Assertions.assertThat(notes.read(DocumentKey.of("note-10"))).isEmpty();
  }

  @Test
  void ttlOfSelectedItemsIsSetUnlessTheyWereChangedMeanwhile() {
    Collection carts = carts();
    Page page = console.open("c/cosmos%3Ashop/carts/documents");
    edit(page, "Query in SQL", "SELECT * FROM c WHERE c.n < 3 ORDER BY c.n");
    button(page, "Run").click();
    assertThat(Console.rows(page)).hasCount(3);
    select(page, 3);
    carts.write(
        new dev.mayfly.engine.Write.Upsert(
            Document.writer().put("id", "cart-1").put("customer", "c1").build()));
    carts.write(new dev.mayfly.engine.Write.Delete(cart(2)));
    setTtlOfSelected(page);
    assertThat(page.locator("m-progress")).containsText("1 of 3 done.");
    assertThat(page.locator("m-progress")).containsText("cart-1 was changed meanwhile");
    assertThat(page.locator("m-progress")).containsText("cart-2 does not exist any more");
    inDialog(page, "Close").click();
    Assertions.assertThat(ttl(carts, cart(0)).asLong()).isEqualTo(60);
    Assertions.assertThat(ttl(carts, cart(1)).isMissing()).isTrue();
  }

  /** Selects the first rows after their versions were read. */
  private static void select(Page page, int rows) {
    for (int row = 0; row < rows; row++) {
      assertThat(page.locator("[role=row][data-index='" + row + "']")).containsText("default TTL");
      page.locator("[role=row][data-index='" + row + "'] .check").click();
    }
  }

  private static void setTtlOfSelected(Page page) {
    button(page, "Set ttl of 3 selected…").click();
    page.getByLabel("ttl in seconds").fill("60");
    inDialog(page, "Set").click();
  }

  @Test
  void ttlOfAllThatMatchIsSetInACollection() {
    Collection notes = notes();
    Page page = console.open("c/test/notes/documents");
    edit(page, "Filter", "{n: {$lt: 300}}");
    setTtl(page, "notes", "Set ttl of 300 documents", "300 of 300 done.");
    Assertions.assertThat(ttl(notes, DocumentKey.of("note-299"))).isEqualTo(Value.of(60));
    Assertions.assertThat(ttl(notes, DocumentKey.of("note-300")).isMissing()).isTrue();
    assertThat(page.locator("m-documents [data-index='0']")).containsText("in 1 min · own ttl");
  }

  @Test
  void ttlOfAllThatMatchIsSetInAContainer() {
    Collection carts = carts();
    Page page = console.open("c/cosmos%3Ashop/carts/documents");
    edit(page, "Query in SQL", "SELECT * FROM c WHERE c.n < 40");
    setTtl(page, "carts", "Set ttl of 40 documents", "40 of 40 done.");
    Assertions.assertThat(ttl(carts, cart(39)).asLong()).isEqualTo(60);
    Assertions.assertThat(ttl(carts, cart(40)).isMissing()).isTrue();
  }

  @Test
  void aQueryOfPartsOfDocumentsDeletesNothing() {
    Collection carts = carts();
    Page page = console.open("c/cosmos%3Ashop/carts/documents");
    edit(page, "Query in SQL", "SELECT TOP 3 * FROM c");
    button(page, "Delete all that match…").click();
    assertThat(page.locator(".messages")).containsText("needs a query of whole documents");
    assertThat(dialog(page)).hasCount(0);
    Assertions.assertThat(carts.usage().documents()).isEqualTo(MANY);
  }

  @Test
  void refusedDocumentsStayInTheTextAndTheOthersAreInserted() {
    Collection notes = notes();
    Page page = console.open("c/test/notes/documents");
    button(page, "Insert…").click();
    edit(page, "Documents to insert", "[{_id: 'new'}, {_id: 'note-1'}]");
    inDialog(page, "Insert").click();
    assertThat(dialog(page)).containsText("1 document inserted. 1 document refused");
    assertThat(Console.editor(page, "Documents to insert")).hasText("{_id: 'note-1'}");
    inDialog(page, "Cancel").click();
    assertThat(page.locator(".messages")).containsText("1 document inserted.");
    Assertions.assertThat(notes.read(DocumentKey.of("new"))).isPresent();
  }

  private static void confirm(Page page, String button, String name, String title, String action) {
    button(page, button).click();
    assertThat(dialog(page)).containsText(title);
    assertThat(inDialog(page, action)).isDisabled();
    page.getByLabel("Type " + name + " to confirm").fill(name);
    inDialog(page, action).click();
  }

  private static void setTtl(Page page, String name, String title, String done) {
    button(page, "Set ttl of all that match…").click();
    assertThat(dialog(page)).containsText(title);
    page.getByLabel("ttl in seconds").fill("60");
    page.getByLabel("Type " + name + " to confirm").fill(name);
    inDialog(page, "Set").click();
    assertThat(page.locator("m-progress")).containsText(done);
    inDialog(page, "Close").click();
  }

  private static void stop(Page page, Held held, String outcome) {
    held.await();
    inDialog(page, "Stop").click();
    held.letGo();
    assertThat(page.locator("m-progress")).containsText(outcome);
    inDialog(page, "Close").click();
  }

  private static Value ttl(Collection collection, DocumentKey key) {
    return collection.read(key).orElseThrow().document().field("ttl");
  }

  private static DocumentKey cart(int n) {
    return new DocumentKey(List.of(Value.of("c" + n % 3)), Value.of("cart-" + n));
  }

  private Collection notes() {
    Collection notes = mayfly.create("notes", CollectionSpec.mongo().withDefaultTtl(3600));
    for (int i = 0; i < MANY; i++) {
      notes.insert(Document.writer().put("_id", "note-" + i).put("n", i).build());
    }
    return notes;
  }

  private Collection carts() {
    Shop.container(mayfly, "shop", "carts", 1800);
    Collection carts = Shop.collection(mayfly, "cosmos:shop", "carts");
    for (int i = 0; i < MANY; i++) {
      carts.insert(
          Document.writer()
              .put("id", "cart-" + i)
              .put("customer", "c" + i % 3)
              .put("n", i)
              .build());
    }
    return carts;
  }
}
