package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;
import static dev.mayfly.console.browser.Console.dialog;
import static dev.mayfly.console.browser.Console.inDialog;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.ColorScheme;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rules of containers and collections: preview, guarded change, undo, forecast, live expiries. */
class TimeToLiveTest {
  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  @Test
  void aChangeIsPreviewedAppliedAndUndone() {
    Collection carts = carts(40);
    mayfly.advance(Duration.ofMinutes(10));
    fill(carts, 40, 60);
    Page page = console.open("c/cosmos%3Ashop/carts/ttl");
    assertThat(page.locator("m-rules-now")).containsText("30 minutes after their last write");
    assertThat(button(page, "Preview")).isDisabled();

    page.getByLabel("default: number").fill("5");
    button(page, "Preview").click();
    assertThat(page.locator("m-preview")).containsText("40 documents would expire at once");
    assertThat(page.locator("m-preview")).containsText("66.7 %");

    button(page, "Apply…").click();
    assertThat(inDialog(page, "Apply")).isDisabled();
    page.getByLabel("Type carts to confirm").fill("carts");
    inDialog(page, "Apply").click();
    assertThat(page.locator(".messages")).containsText("40 documents expired");
    Assertions.assertThat(carts.usage().documents()).isEqualTo(20);

    assertThat(page.locator("m-undo")).containsText("40 documents");
    button(page, "Undo…").click();
    inDialog(page, "Undo").click();
    assertThat(page.locator(".messages")).containsText("40 documents returned");
    assertThat(dialog(page)).hasCount(0);
    Assertions.assertThat(carts.usage().documents()).isEqualTo(60);
    assertThat(page.locator("m-rule-history")).containsText("40 documents expired at once");
  }

  @Test
  void aChangeIsRefusedIfMoreWouldExpireThanWasShown() {
    Collection carts = carts(10);
    Page page = console.open("c/cosmos%3Ashop/carts/ttl");
    page.getByLabel("default: number").fill("5");
    button(page, "Preview").click();
    assertThat(page.locator("m-preview")).containsText("Nothing expires at once");

    mayfly.advance(Duration.ofMinutes(6));
    button(page, "Apply").click();
    assertThat(page.locator("m-ttl")).containsText("Nothing was changed");
    assertThat(page.locator("m-preview")).containsText("10 documents would expire at once");
    Assertions.assertThat(carts.usage().documents()).isEqualTo(10);
  }

  @Test
  void aTtlIndexIsChangedAndUndone() {
    Collection notes = notes();
    Page page = console.open("c/test/notes/ttl");
    assertThat(page.locator("m-rules-now")).containsText("1 hour after the date in at");
    assertThat(page.locator("m-rules-now")).containsText("5 × at is a string, not a date");
    page.getByLabel("index-at_1: number").fill("30");
    page.getByLabel("index-at_1: unit").selectOption("minutes");
    button(page, "Preview").click();
    assertThat(page.locator("m-preview")).containsText("20 documents would expire at once");

    page.getByLabel("index-at_1: number").fill("32");
    assertThat(page.locator("m-preview")).hasCount(0);
    button(page, "Preview").click();
    assertThat(page.locator("m-preview")).containsText("19 documents would expire at once");
    button(page, "Apply…").click();
    page.getByLabel("Type notes to confirm").fill("notes");
    inDialog(page, "Apply").click();
    assertThat(page.locator(".messages")).containsText("19 documents expired");
    Assertions.assertThat(notes.usage().documents()).isEqualTo(46);
    assertThat(page.locator("m-undo")).containsText("From at_1 + 1 h to at_1 + 32 min");
    assertThat(page.locator("m-rule-history")).containsText("console");
    button(page, "Undo…").click();
    inDialog(page, "Undo").click();
    assertThat(page.locator(".messages")).containsText("19 documents returned");
    Assertions.assertThat(notes.usage().documents()).isEqualTo(65);
  }

  @Test
  void aPreviewIsRefusedIfTheRulesHaveChangedMeanwhile() {
    Collection carts = carts(10);
    Page page = console.open("c/cosmos%3Ashop/carts/ttl");
    page.getByLabel("default: number").fill("40");
    button(page, "Preview").click();
    assertThat(page.locator("m-preview")).containsText("Nothing expires at once");
    carts
        .expiry()
        .alter(spec -> spec.withDefaultTtl(7200), dev.mayfly.engine.ExpiryService.NO_LIMIT);
    button(page, "Apply").click();
    assertThat(page.locator("m-ttl")).containsText("Nothing was changed");
    Assertions.assertThat(carts.spec().timeToLive().defaultSeconds()).isEqualTo(7200);
  }

  @Test
  void theForecastEqualsTheEngines() {
    Collection carts = carts(30);
    mayfly.advance(Duration.ofMinutes(10));
    fill(carts, 30, 75);
    Page page = console.open("c/cosmos%3Ashop/carts/forecast");
    button(page, "minute").click();
    compareForecast(page, carts, 2);
  }

  @Test
  void theForecastOfACollectionEqualsTheEngines() {
    Collection notes = notes();
    Page page = console.open("c/test/notes/forecast");
    button(page, "minute").click();
    assertThat(page.locator("m-forecast")).containsText("5 never expire.");
    compareForecast(page, notes, 40);
  }

  /** Compares every row of the table, by minute, with what the engine forecasts. */
  private void compareForecast(Page page, Collection collection, int filled) {
    long now = mayfly.clock().now();
    long within = collection.expiry().forecast(now + 3_600_000).total().documents();
    assertThat(page.locator("m-forecast h2"))
        .containsText(within + " documents will expire in the next hour");
    page.locator("m-forecast summary").click();
    List<String> numbers = new ArrayList<>();
    long before = 0;
    for (int minute = 1; minute <= 60; minute++) {
      long until = collection.expiry().forecast(now + minute * 60_000L).total().documents();
      if (until > before) {
        numbers.add(Long.toString(until - before));
      }
      before = until;
    }
    Assertions.assertThat(numbers).hasSize(filled);
    assertThat(page.locator("m-forecast tbody td:last-child"))
        .hasText(numbers.toArray(String[]::new));
  }

  @Test
  void anExpiryAppearsInTheLiveView() {
    carts(3);
    Page page = following("c/cosmos%3Ashop/carts/changes");
    page.waitForResponse(
        response -> contains(response.request(), "\"after\":\"now\""),
        () -> button(page, "From now").click());
    mayfly.advance(Duration.ofMinutes(31));
    assertThat(changes(page)).hasCount(3);
    assertThat(changes(page).first()).containsText("Jan 1, 2030, 00:30:00");
    assertThat(changes(page).first()).containsText("1 min later");
    changes(page).first().click();
    assertThat(dialog(page)).containsText("The feed keeps no image");
  }

  @Test
  void changesOfACollectionAreChosenByKindAndReadFromTheOldest() {
    Collection notes = mayfly.create("notes", CollectionSpec.mongo().withDefaultTtl(60));
    Shop.command(
        mayfly,
        "test",
        "{\"collMod\": \"notes\", \"changeStreamPreAndPostImages\": {\"enabled\": true}}");
    notes.insert(Document.writer().put("_id", "a").put("text", "precious").build());
    Page page = following("c/test/notes/changes");
    button(page, "From the oldest").click();
    assertThat(page.locator("m-changes")).containsText("Nothing yet");
    mayfly.advance(Duration.ofMinutes(2));
    assertThat(changes(page)).hasCount(1);
    changes(page).first().click();
    assertThat(dialog(page)).containsText("Before");
    assertThat(dialog(page)).containsText("precious");
    inDialog(page, "Close").click();
    page.getByLabel("insert").check();
    button(page, "From the oldest").click();
    assertThat(changes(page)).hasCount(2);
    assertThat(changes(page).last()).containsText("insert");
    button(page, "Pause").click();
    notes.insert(Document.writer().put("_id", "b").build());
    button(page, "Pause").click();
    assertThat(changes(page)).hasCount(3);
  }

  @Test
  void theLiveViewPausesLongerAndLongerWithoutTheServer() {
    carts(3);
    Page page = console.session(1280, ColorScheme.LIGHT);
    page.clock().install();
    page.waitForRequest(
        request -> request.url().endsWith("/feed") && !contains(request, "\"after\":\"now\""),
        () -> console.go(page, "c/cosmos%3Ashop/carts/changes"));
    page.context().setOffline(true);
    button(page, "From the oldest").click();
    assertThat(page.locator("m-changes")).containsText("The server does not answer");
    long before = feeds();
    for (int second = 0; second < 120; second++) {
      page.clock().runFor(1_000);
    }
    // pauses of up to 1, 2, 4, 8, 16, 30, 30, 30 s, each shortened by at most a half
    Assertions.assertThat(feeds() - before).isBetween(5L, 12L);

    page.context().setOffline(false);
    mayfly.advance(Duration.ofMinutes(31));
    button(page, "Try now").click();
    assertThat(changes(page)).hasCount(3);
    assertThat(page.locator("m-changes")).containsText("It answers again; nothing was skipped.");
  }

  private long feeds() {
    return console.asked().stream().filter(request -> request.contains("/feed ")).count();
  }

  /** Opens the live view, and waits until it follows the feed from a position. */
  private Page following(String place) {
    Page page = console.session(1280, ColorScheme.LIGHT);
    page.waitForRequest(
        request -> request.url().endsWith("/feed") && !contains(request, "\"after\":\"now\""),
        () -> console.go(page, place));
    return page;
  }

  private static boolean contains(Request request, String text) {
    return Objects.requireNonNullElse(request.postData(), "").contains(text);
  }

  private static Locator changes(Page page) {
    return page.locator("m-changes [role=row][data-index]");
  }

  /** A note for every minute of the last hour, and five whose date is a text. */
  private Collection notes() {
    Collection notes = mayfly.create("notes", CollectionSpec.mongo());
    long now = mayfly.clock().now();
    for (int i = 0; i < 60; i++) {
      notes.insert(
          Document.writer()
              .put("_id", i)
              .put("at", Value.date(i < 20 ? now - (50 - i) * 60_000L : now - (i - 20) * 30_000L))
              .build());
    }
    for (int i = 0; i < 5; i++) {
      notes.insert(Document.writer().put("_id", "text-" + i).put("at", "soon").build());
    }
    Shop.command(
        mayfly,
        "test",
        """
        {"createIndexes": "notes", "indexes": [
          {"key": {"at": 1}, "name": "at_1", "expireAfterSeconds": 3600}]}
        """);
    mayfly.settle();
    return notes;
  }

  private Collection carts(int documents) {
    Shop.container(mayfly, "shop", "carts", 1800);
    Collection carts = Shop.collection(mayfly, "cosmos:shop", "carts");
    fill(carts, 0, documents);
    return carts;
  }

  private static void fill(Collection carts, int from, int to) {
    for (int i = from; i < to; i++) {
      carts.insert(Document.writer().put("id", "cart-" + i).put("customer", "c" + i).build());
    }
  }
}
