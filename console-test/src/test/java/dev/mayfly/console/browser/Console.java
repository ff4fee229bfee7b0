package dev.mayfly.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.LoadState;
import dev.mayfly.testkit.MayflyExtension;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * JUnit extension: pages of the console in Chromium. After every test it asserts that nothing
 * violated the content policy, that no script failed, and that no other host was asked.
 */
final class Console implements AfterEachCallback {
  private static final double PATIENCE_MILLIS = 15_000;

  /** One browser for all tests; it ends with the JVM. */
  private static @Nullable Browser browser;

  private final Supplier<String> origin;
  private final List<BrowserContext> contexts = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();

  Console(MayflyExtension mayfly) {
    this(() -> "http://localhost:" + URI.create(mayfly.cosmos()).getPort());
  }

  /** Console of a server at an address without TLS. */
  Console(Supplier<String> origin) {
    this.origin = origin;
  }

  private static synchronized Browser browser() {
    Browser open = browser;
    if (open == null) {
      Map<String, String> environment = new HashMap<>(System.getenv());
      environment.put("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
      Playwright playwright = Playwright.create(new Playwright.CreateOptions().setEnv(environment));
      open =
          playwright
              .chromium()
              .launch(
                  new BrowserType.LaunchOptions()
                      .setExecutablePath(
                          Path.of(System.getProperty("chromium", "/usr/bin/chromium")))
                      .setArgs(List.of("--no-sandbox", "--disable-dev-shm-usage")));
      browser = open;
    }
    return open;
  }

  /** Address of the server, without TLS. */
  String origin() {
    return origin.get();
  }

  Page open(String path) {
    return open(path, 1280, ColorScheme.LIGHT);
  }

  /**
   * Opens a page of the console in a browser session of its own.
   *
   * @param path below {@code /_console/}
   */
  Page open(String path, int width, ColorScheme scheme) {
    Page page = session(width, scheme);
    go(page, path);
    return page;
  }

  /** Loads a page of the console, and waits until its content is there. */
  void go(Page page, String path) {
    page.navigate(origin() + "/_console/" + path);
    page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1)).waitFor();
    if (!path.endsWith("changes")) {
      page.waitForLoadState(LoadState.NETWORKIDLE);
    }
  }

  /** Returns an empty page that is watched. */
  Page session(int width, ColorScheme scheme) {
    BrowserContext context =
        browser()
            .newContext(
                new Browser.NewContextOptions()
                    .setViewportSize(width, 900)
                    .setColorScheme(scheme)
                    .setTimezoneId("UTC")
                    .setAcceptDownloads(true));
    contexts.add(context);
    context.setDefaultTimeout(PATIENCE_MILLIS);
    Page page = context.newPage();
    page.onPageError(error -> problems.add("script: " + error));
    page.onConsoleMessage(
        message -> {
          String text = message.text();
          if (text.contains("Content Security Policy") || text.contains("TrustedHTML")) {
            problems.add("policy: " + text);
          }
        });
    page.onRequest(
        request -> {
          String body = request.postData();
          asked.add(request.url() + (body == null ? "" : " " + body));
        });
    page.onDialog(
        dialog -> {
          problems.add("dialog: " + dialog.message());
          dialog.dismiss();
        });
    return page;
  }

  /** Addresses and bodies of all requests of the test so far. */
  List<String> asked() {
    return List.copyOf(asked);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    contexts.forEach(BrowserContext::close);
    assertThat(problems).isEmpty();
    assertThat(asked).allMatch(url -> url.startsWith(origin()) || url.startsWith("blob:"));
  }

  static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  static Locator editor(Page page, String label) {
    return page.getByRole(
        AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName(label).setExact(true));
  }

  /** Text of the document that is open. */
  static String openText(Page page) {
    return String.join("\n", page.locator("m-document m-editor .cm-line").allInnerTexts());
  }

  /** Rows of the list of documents that are in the page. */
  static Locator rows(Page page) {
    return page.locator("m-documents [role=row][data-index]");
  }

  /** A link with exactly this name. */
  static Locator link(Page page, String name) {
    return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  /** A field with exactly this label. */
  static Locator field(Page page, String label) {
    return page.getByLabel(label, new Page.GetByLabelOptions().setExact(true));
  }

  static Locator dialog(Page page) {
    return page.locator("dialog[open]");
  }

  static Locator inDialog(Page page, String name) {
    return dialog(page)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
  }

  /**
   * Replaces the text of an editor, by keys: pasting over styled text makes the browser add styles.
   */
  static void edit(Page page, String label, String text) {
    editor(page, label).focus();
    page.keyboard().press("Control+A");
    page.keyboard().press("Delete");
    page.keyboard().insertText(text);
  }
}
