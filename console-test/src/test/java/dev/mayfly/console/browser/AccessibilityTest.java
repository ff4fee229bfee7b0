package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;
import static dev.mayfly.console.browser.Console.dialog;
import static dev.mayfly.console.browser.Console.inDialog;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** WCAG 2.2 AA by axe on every page and dialog; none is wider than a small window. */
class AccessibilityTest {
  private static final List<String> PAGES =
      List.of(
          "",
          "c/sample/sessions/documents",
          "c/sample/sessions/ttl",
          "c/sample/sessions/forecast",
          "c/sample/sessions/changes",
          "c/sample/sessions/indexes",
          "c/sample/sessions/transfer",
          "c/sample/sessions/about",
          "c/cosmos%3Ashop/carts/documents",
          "c/cosmos%3Ashop/carts/ttl",
          "c/cosmos%3Ashop/carts/indexes",
          "c/none/none/documents",
          "server/health",
          "server/slow",
          "server/running",
          "server/users",
          "server/key",
          "server/backup",
          "server/settings",
          "changes",
          "connect");

  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  private final List<String> findings = new ArrayList<>();

  @Test
  void pagesHaveNoFindings() {
    fill();
    Page page = console.session(1280, ColorScheme.LIGHT);
    for (String path : PAGES) {
      console.go(page, path);
      check(page, path);
    }
    Assertions.assertThat(findings).isEmpty();
  }

  private void check(Page page, String name) {
    findings.addAll(Accessibility.findings(page, name));
    findings.addAll(Accessibility.overflow(page, name));
  }

  @Test
  void dialogsAndPanesHaveNoFindings() {
    fill();
    Page page = console.session(1280, ColorScheme.LIGHT);
    console.go(page, "c/sample/sessions/documents");
    page.locator("[role=row][data-index='0']").click();
    assertThat(page.locator("m-document m-editor")).isVisible();
    button(page, "Build…").click();
    check(page, "open document");
    for (String name : List.of("Insert…", "Save query…", "Rename…", "Drop…", "New…")) {
      button(page, name).click();
      assertThat(dialog(page)).isVisible();
      check(page, name);
      if (name.equals("New…")) {
        page.getByLabel("Cosmos DB container").check();
        check(page, "new container");
      }
      page.keyboard().press("Escape");
      assertThat(dialog(page)).hasCount(0);
    }
    page.keyboard().press("Control+k");
    assertThat(dialog(page)).isVisible();
    check(page, "go to");
    page.keyboard().press("Escape");
    button(page, "Keys").click();
    check(page, "keys");
    page.keyboard().press("Escape");

    console.go(page, "server/users");
    button(page, "Add a user…").click();
    inDialog(page, "Add a role").click();
    check(page, "add a user");
    page.keyboard().press("Escape");
    for (String name : List.of("Roles…", "Password…", "Remove…")) {
      button(page, name).click();
      check(page, name);
      page.keyboard().press("Escape");
      assertThat(dialog(page)).hasCount(0);
    }
    preview(page);
    Assertions.assertThat(findings).isEmpty();
  }

  /** Preview and confirmation of a rule, the card of the undo, messages and bars. */
  private void preview(Page page) {
    console.go(page, "c/cosmos%3Ashop/carts/ttl");
    page.getByLabel("default: number").fill("1");
    button(page, "+1 min").click();
    assertThat(page.locator(".messages")).containsText("The clock was moved");
    button(page, "+1 min").click();
    button(page, "Preview").click();
    assertThat(page.locator("m-preview")).containsText("would expire at once");
    check(page, "preview");
    button(page, "Apply…").click();
    page.getByLabel("Type carts to confirm").fill("carts");
    check(page, "confirmation");
    inDialog(page, "Apply").click();
    assertThat(page.locator("m-undo")).containsText("1 document");
    console.go(page, "server/health");
    button(page, "Pause the sweep").click();
    assertThat(page.locator(".bars")).containsText("The sweep is paused");
    console.go(page, "c/cosmos%3Ashop/carts/ttl");
    assertThat(page.locator("m-undo")).containsText("1 document");
    check(page, "undo");
  }

  /** On a small screen the tree is a menu. */
  @Test
  void theMenuOfASmallWindowHasNoFindings() {
    fill();
    Page page = console.open("c/sample/sessions/documents", 360, ColorScheme.LIGHT);
    assertThat(page.locator("m-tree")).isHidden();
    button(page, "Collections").click();
    assertThat(page.locator("m-tree")).isVisible();
    check(page, "menu");
    button(page, "Collections").click();
    assertThat(page.locator("m-tree")).isHidden();
    button(page, "Collections").click();
    Console.link(page, "Connect").click();
    assertThat(page.locator("h1")).hasText("Connect");
    assertThat(page.locator("m-tree")).isHidden();
    Assertions.assertThat(findings).isEmpty();
  }

  private void fill() {
    Shop.Session session = Shop.Session.open(mayfly);
    session.post("/sample", "{}");
    session.mongo(
        "admin",
        "{'createUser':'ada','pwd':'x','roles':[{'role':'readWriteAnyDatabase','db':'admin'}]}");
    Shop.container(mayfly, "shop", "carts", 600);
    Shop.collection(mayfly, "cosmos:shop", "carts")
        .insert(Document.writer().put("id", "cart-1").put("customer", "ada").build());
  }
}
