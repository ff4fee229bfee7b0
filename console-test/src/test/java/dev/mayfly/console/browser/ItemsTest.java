package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;
import static dev.mayfly.console.browser.Console.edit;
import static dev.mayfly.console.browser.Console.inDialog;
import static dev.mayfly.console.browser.Console.openText;
import static dev.mayfly.console.browser.Console.rows;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Write;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Items of a container: queries in SQL, edits guarded by the etag, their lives. */
class ItemsTest {
  private static final String PLACE = "c/cosmos%3Ashop/carts/documents";
  private static final DocumentKey KEY =
      new DocumentKey(List.of(Value.of("ada")), Value.of("cart-0"));

  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  @Test
  void aWrongQueryIsExplainedAndARightOneRuns() {
    carts(20);
    Page page = console.open(PLACE);
    assertThat(rows(page)).hasCount(20);
    edit(page, "Query in SQL", "SELECT *\nFROM c WHERE c.n <");
    button(page, "Run").click();
    assertThat(page.locator(".problem")).containsText("Line 2, column 19: Syntax error");
    edit(page, "Query in SQL", "SELECT * FROM c WHERE c.n < 5");
    button(page, "Run").click();
    assertThat(rows(page)).hasCount(5);
    assertThat(page.locator("m-documents")).containsText(" RU");
    button(page, "Count").click();
    assertThat(page.locator("m-documents")).containsText("5 documents match");
  }

  @Test
  void anEditKeepsDigits() {
    Collection carts = carts(1);
    Page page = opened();
    assertThat(page.locator("m-document m-editor")).containsText("9007199254740993");
    save(page, openText(page).replace("\"first\"", "\"second\""));
    assertThat(page.locator(".messages")).containsText("Saved");
    Document stored = carts.read(KEY).orElseThrow().document();
    Assertions.assertThat(stored.field("text").asString()).isEqualTo("second");
    Assertions.assertThat(stored.field("large").asLong()).isEqualTo(9_007_199_254_740_993L);
  }

  @Test
  void aChangeOfSomebodyElseIsNotOverwritten() {
    Collection carts = carts(1);
    Page page = opened();
    String mine = openText(page).replace("\"first\"", "\"mine\"");
    write(carts, "theirs");
    save(page, mine);
    assertThat(page.locator("m-compare")).containsText("theirs");
    Assertions.assertThat(text(carts)).isEqualTo("theirs");

    write(carts, "theirs again");
    button(page, "Save mine over theirs").click();
    assertThat(page.locator("m-compare")).containsText("theirs again");
    Assertions.assertThat(text(carts)).isEqualTo("theirs again");

    button(page, "Save mine over theirs").click();
    assertThat(page.locator(".messages")).containsText("Saved");
    Assertions.assertThat(text(carts)).isEqualTo("mine");
  }

  @Test
  void theirsIsTaken() {
    Collection carts = carts(1);
    Page page = opened();
    String mine = openText(page).replace("\"first\"", "\"mine\"");
    write(carts, "theirs");
    save(page, mine);
    button(page, "Take theirs").click();
    assertThat(page.locator("m-document m-editor")).containsText("\"theirs\"");
    assertThat(page.locator("m-compare")).hasCount(0);
    assertThat(button(page, "Save")).isDisabled();
  }

  @Test
  void anItemThatExpiredMeanwhileIsInsertedAgainOnlyIfWanted() {
    Collection carts = carts(1);
    Page page = opened();
    String mine = openText(page).replace("\"first\"", "\"mine\"");
    mayfly.advance(Duration.ofMinutes(31));
    mayfly.settle();
    save(page, mine);
    assertThat(page.locator("m-document")).containsText("It expired at Jan 1, 2030, 00:30:00");
    Assertions.assertThat(carts.usage().documents()).isZero();
    button(page, "Insert again…").click();
    inDialog(page, "Insert").click();
    assertThat(page.locator(".messages")).containsText("1 document inserted");
    Assertions.assertThat(text(carts)).isEqualTo("mine");
  }

  @Test
  void aRefusedTtlIsReportedWhileTypingAndByTheServer() {
    carts(1);
    Page page = opened();
    save(page, openText(page).replace("\"text\": \"first\"", "\"ttl\": 0, \"text\": \"first\""));
    assertThat(page.locator("m-document .warn-text")).containsText("the server will refuse this");
    assertThat(page.locator("m-document .problem")).containsText("ttl");
  }

  @Test
  void aLifeIsChangedByOneField() {
    Collection carts = carts(1);
    Page page = opened();
    assertThat(page.locator("m-life")).containsText("Jan 1, 2030, 00:30:00 (in 30 min)");
    button(page, "Never expire…").click();
    assertThat(page.locator("dialog[open]")).containsText("set ttl to -1");
    inDialog(page, "Write").click();
    assertThat(page.locator("m-life")).containsText("never");
    assertThat(rows(page).first()).containsText("never");
    Assertions.assertThat(carts.read(KEY).orElseThrow().document().field("ttl").asLong())
        .isEqualTo(-1);
    Assertions.assertThat(text(carts)).isEqualTo("first");
  }

  @Test
  void aLifeIsNotChangedOverAChangeOfSomebodyElse() {
    Collection carts = carts(1);
    Page page = opened();
    button(page, "Never expire…").click();
    write(carts, "theirs");
    inDialog(page, "Write").click();
    assertThat(page.locator("dialog[open] .problem"))
        .containsText("The document was changed since it was read here. Nothing was written.");
    inDialog(page, "Cancel").click();
    assertThat(page.locator("m-document m-editor")).containsText("theirs");
    Assertions.assertThat(carts.read(KEY).orElseThrow().document().field("ttl").isMissing())
        .isTrue();
    button(page, "Never expire…").click();
    inDialog(page, "Write").click();
    assertThat(page.locator("m-life")).containsText("never");
    Assertions.assertThat(text(carts)).isEqualTo("theirs");
  }

  private Page opened() {
    Page page = console.open(PLACE);
    rows(page).filter(new Locator.FilterOptions().setHasText("cart-0")).click();
    assertThat(page.locator("m-document m-editor")).containsText("first");
    return page;
  }

  private static void save(Page page, String text) {
    edit(page, "Document", text);
    button(page, "Save").click();
  }

  private static void write(Collection carts, String text) {
    carts.write(
        new Write.Upsert(
            Document.writer()
                .put("id", "cart-0")
                .put("customer", "ada")
                .put("text", text)
                .build()));
  }

  private static String text(Collection carts) {
    return carts.read(KEY).orElseThrow().document().field("text").asString();
  }

  private Collection carts(int documents) {
    Shop.container(mayfly, "shop", "carts", 1800);
    Collection carts = Shop.collection(mayfly, "cosmos:shop", "carts");
    for (int i = 0; i < documents; i++) {
      carts.insert(
          Document.writer()
              .put("id", "cart-" + i)
              .put("customer", "ada")
              .put("n", i)
              .put("large", 9_007_199_254_740_993L)
              .put("text", "first")
              .build());
    }
    return carts;
  }
}
