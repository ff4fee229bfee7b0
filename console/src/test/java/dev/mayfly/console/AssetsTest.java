package dev.mayfly.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of the console, as the build has put them into the class path. */
final class AssetsTest {
  private static final Pattern IMPORT =
      Pattern.compile(
          "(?:^|[;}\\s])(?:import|export)\\s*(?:[\\w*{}\\s,$]+?\\s*from\\s*)?"
              + "[\"']([^\"'\\s]+)[\"']");
  private static final Pattern COMMENT =
      Pattern.compile("/\\*.*?\\*/|^\\s*//[^\n]*", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern ENTRY = Pattern.compile("\"([^\"]+)\": \"([^\"]+)\"");

  private final Assets assets = new Assets(Optional.empty());

  private Reply fetch(String path, String... headers) {
    Map<String, String> fields = new TreeMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      fields.put(headers[i], headers[i + 1]);
    }
    return assets.answer(Request.of("GET", path, fields));
  }

  private String text(String path) {
    Reply reply = fetch(path);
    assertThat(reply.status()).as(path).isEqualTo(200);
    return new String(reply.body(), UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "/_console/,text/html; charset=utf-8",
    "/_console/index.html,text/html; charset=utf-8",
    "/_console/app.js,text/javascript; charset=utf-8",
    "/_console/console.css,text/css; charset=utf-8"
  })
  void filesHaveTheirTypeAndMustBeRevalidated(String path, String type) {
    Reply reply = fetch(path);
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.contentType()).isEqualTo(type);
    assertThat(reply.header("cache-control")).isEqualTo("no-cache");
    assertThat(reply.header("x-content-type-options")).isEqualTo("nosniff");
    assertThat(reply.header("cross-origin-opener-policy")).isEqualTo("same-origin");
    assertThat(reply.header("cross-origin-resource-policy")).isEqualTo("same-origin");
    assertThat(reply.header("referrer-policy")).isEqualTo("no-referrer");
    assertThat(reply.header("access-control-allow-origin")).isNull();
    String tag = String.valueOf(reply.header("etag"));
    Reply again = fetch(path, "if-none-match", tag);
    assertThat(again.status()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
  }

  @Test
  void librariesAreCachedForEverUnderAddressesWithTheirVersion() {
    String lit = Objects.requireNonNull(importMap().get("lit"));
    assertThat(lit).matches("/_console/vendor/lit/\\d+\\.\\d+\\.\\d+/index.js");
    assertThat(fetch(lit).header("cache-control")).contains("immutable", "max-age=31536000");
  }

  @Test
  void aFileIsCompressedForBrowsersThatAcceptIt() throws IOException {
    Reply plain = fetch("/_console/app.js");
    Reply packed = fetch("/_console/app.js", "accept-encoding", "gzip, deflate, br");
    assertThat(plain.header("content-encoding")).isNull();
    assertThat(packed.header("content-encoding")).isEqualTo("gzip");
    assertThat(packed.header("vary")).isEqualTo("accept-encoding");
    try (GZIPInputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
      assertThat(unpacked.readAllBytes()).isEqualTo(plain.body());
    }
  }

  @Test
  void thePolicyAllowsTheImportMapAndNoOtherInlineScript() throws Exception {
    String page = text("/_console/");
    String map =
        page.substring(page.indexOf("<script type=\"importmap\">") + 25, page.indexOf("</script>"));
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(map.getBytes(UTF_8));
    String policy = String.valueOf(fetch("/_console/").header("content-security-policy"));
    assertThat(policy)
        .isEqualTo(
            "default-src 'none'; script-src 'self' 'sha256-"
                + Base64.getEncoder().encodeToString(hash)
                + "'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri"
                + " 'none'; form-action 'none'; frame-ancestors 'none';"
                + " require-trusted-types-for 'script'; trusted-types lit-html");
    assertThat(page).doesNotContain("${", " style=", "http:", "https:");
    assertThat(Pattern.compile("<script(?![^>]*src=)").matcher(page).results()).hasSize(1);
  }

  @Test
  void aPlaceOfTheConsoleIsThePageForNavigationsOnly() {
    Reply place = fetch("/_console/c/shop/carts.js/ttl", "accept", "text/html,*/*");
    assertThat(place.status()).isEqualTo(200);
    assertThat(place.body()).isEqualTo(fetch("/_console/").body());
    assertThat(fetch("/_console/no.js", "accept", "*/*").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/_console/../Assets.class",
        "/_console/%2e%2e/Assets.class",
        "/_console/..%2fAssets.class",
        "/_console//etc/passwd",
        "/_console/vendor/",
        "/_console/.hidden.js",
        "/_console/vendor/../index.html"
      })
  void nothingElseOfTheClassPathIsServed(String path) {
    assertThat(fetch(path).status()).isEqualTo(404);
  }

  @Test
  void filesAreOnlyRead() {
    Reply reply = assets.answer(Request.of("POST", "/_console/app.js", Map.of()));
    assertThat(reply.status()).isEqualTo(405);
  }

  @Test
  void filesOfADirectoryWinAndAreReadAtEveryRequest(@TempDir Path directory) throws IOException {
    Assets edited = new Assets(Optional.of(directory));
    Request request = Request.of("GET", "/_console/app.js", Map.of());
    assertThat(edited.answer(request).body()).isEqualTo(fetch("/_console/app.js").body());
    Files.writeString(directory.resolve("app.js"), "one");
    assertThat(edited.answer(request).body()).asString(UTF_8).isEqualTo("one");
    Files.writeString(directory.resolve("app.js"), "two");
    assertThat(edited.answer(request).body()).asString(UTF_8).isEqualTo("two");
  }

  private Map<String, String> importMap() {
    Map<String, String> map = new TreeMap<>();
    Matcher entries = ENTRY.matcher(text("/_console/"));
    while (entries.find()) {
      map.put(entries.group(1), entries.group(2));
    }
    return map;
  }

  @Test
  void everyEntryOfTheImportMapAndEveryImportLeadsToAFile() {
    Map<String, String> map = importMap();
    assertThat(map).hasSizeGreaterThan(20);
    Deque<String> next = new ArrayDeque<>(Set.of("/_console/app.js"));
    map.forEach(
        (name, address) -> {
          if (!name.endsWith("/")) {
            next.add(address);
          }
        });
    Set<String> seen = new HashSet<>();
    while (!next.isEmpty()) {
      String module = next.remove();
      if (seen.add(module)) {
        Matcher imports = IMPORT.matcher(COMMENT.matcher(text(module)).replaceAll(""));
        while (imports.find()) {
          next.add(resolved(imports.group(1), module, map));
        }
      }
    }
    assertThat(seen).hasSizeGreaterThan(20);
  }

  private static String resolved(String name, String module, Map<String, String> map) {
    if (name.startsWith(".")) {
      return Path.of(module).resolveSibling(name).normalize().toString();
    }
    if (map.containsKey(name)) {
      return map.get(name);
    }
    String prefix =
        name.substring(0, name.indexOf('/', name.startsWith("@") ? name.indexOf('/') + 1 : 0) + 1);
    assertThat(map).as(name + " in " + module).containsKey(prefix);
    return map.get(prefix) + name.substring(prefix.length());
  }

  @Test
  void everyLibraryComesWithItsLicence() {
    for (String address : importMap().values()) {
      String library = address.replaceFirst("(/\\d+\\.\\d+\\.\\d+/).*", "$1");
      assertThat(fetch(library + "LICENSE").status()).as(library).isEqualTo(200);
    }
  }
}
