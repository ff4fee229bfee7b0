package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;
import static dev.mayfly.console.browser.Console.edit;
import static dev.mayfly.console.browser.Console.field;
import static dev.mayfly.console.browser.Console.inDialog;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Namespace;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The frame: tree, panes, clock bar, collections, and what happens without the server. */
class FrameTest {
  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  @Test
  void anEmptyServerOffersASampleWhoseDocumentsExpire() {
    Page page = console.open("");
    assertThat(page.locator("m-overview")).containsText("There are no collections yet");
    assertThat(page.locator("m-overview")).containsText("mongodb://localhost:");
    button(page, "Make a sample collection").click();
    assertThat(page.locator("h1")).hasText("sessions");
    assertThat(page.locator("m-tree")).containsText("sessions");
    button(page, "+1 h").click();
    assertThat(page.locator(".messages")).containsText("300 of sample.sessions");
    assertThat(page.locator("m-tree a")).containsText("0 documents");
  }

  @Test
  void theClockBarMovesTheClockAndReportsWhatExpired() {
    Collection notes = mayfly.create("notes", CollectionSpec.mongo().withDefaultTtl(90));
    for (int i = 0; i < 7; i++) {
      notes.insert(Document.writer().put("_id", i).build());
    }
    Page page = console.open("");
    assertThat(page.locator("m-clockbar")).containsText("Jan 1, 2030, 00:00:00");
    button(page, "+1 min").click();
    assertThat(page.locator(".messages"))
        .containsText("The clock was moved by 1 min. No document expired by it.");
    button(page, "To the next deadline").click();
    assertThat(page.locator(".messages"))
        .containsText("moved by 30 s. 7 documents expired by it: 7 of test.notes.");
    assertThat(page.locator("m-clockbar")).containsText("Jan 1, 2030, 00:01:30");
    Assertions.assertThat(notes.usage().documents()).isZero();

    button(page, "To the next deadline").click();
    assertThat(page.locator(".message.error")).containsText("No document will expire");
    field(page, "Move the clock by").fill("1.5");
    field(page, "Unit").selectOption("h");
    button(page, "Move by").click();
    assertThat(page.locator("m-clockbar")).containsText("Jan 1, 2030, 01:31:30");
    field(page, "Move the clock to").fill("2029-01-01T00:00:01");
    button(page, "Move to").click();
    assertThat(page.locator(".message.error").last())
        .containsText("The clock can only be moved forward");
    field(page, "Move the clock to").fill("2030-02-01T00:00:01");
    button(page, "Move to").click();
    assertThat(page.locator("m-clockbar")).containsText("Feb 1, 2030, 00:00:01");
  }

  @Test
  void theClockBarIsLowInASmallWindow() {
    Page page = console.open("", 360, ColorScheme.DARK);
    Assertions.assertThat(page.locator(".bar.clock").boundingBox().height).isLessThan(80);
    assertThat(button(page, "Move by")).isHidden();
    button(page, "More").click();
    field(page, "Move the clock by").fill("1");
    field(page, "Unit").selectOption("h");
    button(page, "Move by").click();
    assertThat(page.locator("m-clockbar")).containsText("Jan 1, 2030, 01:00:00");
    page.setViewportSize(1280, 900);
    assertThat(button(page, "More")).isHidden();
    assertThat(button(page, "Move by")).isVisible();
  }

  @Test
  void aCollectionIsCreatedRenamedAndDropped() {
    Page page = console.open("");
    button(page, "New…").click();
    field(page, "Database").fill("shop");
    field(page, "Name").fill("a$b");
    field(page, "Date field of a TTL index").fill("at");
    field(page, "Seconds after the date").fill("60");
    inDialog(page, "Create").click();
    assertThat(page.locator("dialog[open] .problem")).containsText("a$b");
    field(page, "Name").fill("orders");
    inDialog(page, "Create").click();
    assertThat(page.locator("h1")).hasText("orders");
    assertThat(page.locator("m-tree")).containsText("at_1 + 1 min");
    engineInsert("shop", "orders");

    button(page, "Rename…").click();
    field(page, "New name").fill("sales");
    inDialog(page, "Rename").click();
    assertThat(page.locator("h1")).hasText("sales");
    Assertions.assertThat(mayfly.engine().namespaces()).contains(new Namespace("shop", "sales"));

    page.reload();
    button(page, "Drop…").click();
    assertThat(page.locator("dialog[open]")).containsText("with 1 document and its indexes");
    assertThat(inDialog(page, "Drop")).isDisabled();
    field(page, "Type sales to confirm").fill("sale");
    assertThat(inDialog(page, "Drop")).isDisabled();
    field(page, "Type sales to confirm").fill("sales");
    inDialog(page, "Drop").click();
    assertThat(page.locator("h1")).hasText("Overview");
    Assertions.assertThat(mayfly.engine().namespaces())
        .doesNotContain(new Namespace("shop", "sales"));
  }

  @Test
  void aContainerIsCreatedWithKeyIndexingAndTtl() {
    Page page = console.open("");
    button(page, "New…").click();
    page.getByLabel("Cosmos DB container").check();
    field(page, "Database").fill("shop");
    field(page, "Name").fill("carts");
    field(page, "Partition key").fill("/tenant, /customer");
    field(page, "Indexing").selectOption("some");
    field(page, "Indexed paths").fill("/total/?");
    field(page, "Default time to live, in seconds").fill("600");
    inDialog(page, "Create").click();
    assertThat(page.locator("h1")).hasText("carts");
    assertThat(page.locator("m-tree")).containsText("10 min");
    String definition =
        Shop.Session.open(mayfly)
            .post("/cosmos", "{\"method\":\"GET\",\"path\":\"/dbs/shop/colls/carts\"}");
    Assertions.assertThat(definition)
        .contains("MultiHash", "/tenant", "/customer", "/total/?")
        .contains("\\\"defaultTtl\\\":600");
    button(page, "Drop…").click();
    field(page, "Type carts to confirm").fill("carts");
    inDialog(page, "Drop").click();
    assertThat(page.locator("m-tree")).containsText("No collections yet");
  }

  private void engineInsert(String database, String name) {
    Shop.collection(mayfly, database, name).insert(Document.writer().put("_id", 1).build());
  }

  @Test
  void manyCollectionsAreInThePageOnlyWhileTheyAreInSight() {
    for (int i = 0; i < 300; i++) {
      mayfly.create("notes-%03d".formatted(i), CollectionSpec.mongo());
    }
    Page page = console.open("");
    Locator links = page.locator("m-tree a");
    assertThat(links.first()).containsText("notes-000");
    Assertions.assertThat(links.count()).isLessThan(60);
    field(page, "Filter collections").focus();
    page.keyboard().press("ArrowDown");
    page.keyboard().press("End");
    assertThat(page.locator("m-tree a:focus")).containsText("notes-299");
    Assertions.assertThat(links.count()).isLessThan(60);
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText("notes-299");

    field(page, "Filter collections").fill("notes-12");
    assertThat(links).hasCount(10);
    field(page, "Filter collections").fill("nothing");
    assertThat(page.locator("m-tree")).containsText("No collection has this in its name");
  }

  @Test
  void panesAreResizedByKeysAndByMouse() {
    mayfly.create("notes", CollectionSpec.mongo()).insert(Document.writer().put("_id", 1).build());
    Page page = console.open("c/test/notes/documents");
    page.locator("[role=row][data-index='0']").click();
    assertThat(page.locator("m-document m-editor")).isVisible();
    Locator tree = page.locator(".side .splitter");
    double before = width(page, ".side");
    tree.focus();
    page.keyboard().press("ArrowRight");
    Assertions.assertThat(width(page, ".side")).isEqualTo(before + 16);
    page.keyboard().press("Home");
    Assertions.assertThat(width(page, ".side")).isEqualTo(200);
    assertThat(tree).hasAttribute("aria-valuenow", "200");
    page.keyboard().press("Enter");
    Assertions.assertThat(width(page, ".side")).isEqualTo(before);

    var box = tree.boundingBox();
    page.mouse().move(box.x + box.width / 2, box.y + 100);
    page.mouse().down();
    page.mouse().move(box.x + box.width / 2 + 50, box.y + 100);
    page.mouse().up();
    Assertions.assertThat(width(page, ".side")).isEqualTo(before + 50);

    double document = width(page, "m-document");
    page.locator(".workspace .splitter").focus();
    page.keyboard().press("ArrowRight");
    Assertions.assertThat(width(page, "m-document")).isLessThan(document);
  }

  private static double width(Page page, String selector) {
    return page.locator(selector).boundingBox().width;
  }

  @Test
  void withoutTheServerNothingTypedIsLost() {
    mayfly.create("notes", CollectionSpec.mongo()).insert(Document.writer().put("_id", 1).build());
    Page page = console.session(1280, ColorScheme.LIGHT);
    page.clock().install();
    console.go(page, "c/test/notes/documents");
    assertThat(page.locator("m-documents")).containsText("1 document shown");
    edit(page, "Filter", "{_id: 1}");
    page.context().setOffline(true);
    button(page, "Run").click();
    assertThat(page.locator(".bars")).containsText("The server does not answer");

    int asked = console.asked().size();
    for (int second = 0; second < 60; second++) {
      page.clock().runFor(1_000);
    }
    // after 1, 2, 4, 8, 16 and 30 seconds
    Assertions.assertThat(console.asked().size() - asked).isBetween(3, 7);

    page.context().setOffline(false);
    button(page, "Try now").click();
    assertThat(page.locator(".bars")).not().containsText("The server does not answer");
    assertThat(page.locator("m-query m-editor").first()).containsText("{_id: 1}");
    button(page, "Run").click();
    assertThat(page.locator("m-documents")).containsText("1 document shown");
  }

  @Test
  void aTabOutOfSightAsksNothing() {
    mayfly.create("notes", CollectionSpec.mongo().withDefaultTtl(60));
    for (String place : new String[] {"", "c/test/notes/changes", "server/health"}) {
      Page page = console.session(1280, ColorScheme.LIGHT);
      page.clock().install();
      console.go(page, place);
      see(page, "hidden");
      int asked = console.asked().size();
      page.clock().runFor(120_000);
      Assertions.assertThat(console.asked().subList(asked, console.asked().size())).isEmpty();
      page.waitForResponse(
          response -> response.url().endsWith("/_mayfly/status"), () -> see(page, "visible"));
      page.context().close();
    }
  }

  private static void see(Page page, String state) {
    page.evaluate(
        "state => { Object.defineProperty(document, 'visibilityState', {value: state,"
            + " configurable: true}); document.dispatchEvent(new Event('visibilitychange')); }",
        state);
  }
}
