package dev.mayfly.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Files of the console: pages, scripts, style sheets, and the JavaScript libraries that the build
 * unpacks into {@code vendor/}.
 *
 * <p>A file is read and compressed at its first use and kept in memory. Addresses in {@code
 * vendor/} contain the version of their library, so browsers may cache them for ever; all other
 * files are revalidated by their ETag. Safe for many threads.
 */
public final class Assets {
  /** Prefix of all paths. */
  public static final String ROOT = "/_console/";

  private static final String INDEX = "index.html";
  private static final String VENDOR = "vendor/";
  private static final String RESOURCES = "web/";
  private static final int NOT_FOUND = 404;

  /** Names of files: nothing that leaves the directory. */
  private static final Pattern NAME = Pattern.compile("(?:[\\w@-][\\w@.-]*/)*[\\w@-][\\w@.-]*");

  private static final Pattern IMPORT_MAP =
      Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "LICENSE", "text/plain; charset=utf-8");

  private final Optional<Path> directory;
  private final Map<String, Asset> loaded = new ConcurrentHashMap<>();

  /**
   * A file in memory.
   *
   * @param gzip compressed form
   * @param tag strong validator, quoted
   * @param policy content security policy
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody changes or compares them
  private record Asset(byte[] bytes, byte[] gzip, String type, String tag, String policy) {}

  /**
   * Creates the files of a server.
   *
   * @param directory for development: files in it are read at every request and win over those of
   *     the jar
   */
  public Assets(Optional<Path> directory) {
    this.directory = directory;
  }

  /**
   * Returns the reply to a request below {@link #ROOT}. A path that names no file is a place in the
   * console: a browser that navigates to it gets the page.
   */
  public Reply answer(Request request) {
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      return text(405, "The console's files can only be read.").header("allow", "GET, HEAD");
    }
    String name = request.path().substring(ROOT.length());
    Optional<Asset> file = find(name.isEmpty() ? INDEX : name);
    if (file.isEmpty() && isNavigation(request)) {
      file = find(INDEX);
    }
    return file.map(found -> reply(request, found, name.startsWith(VENDOR)))
        .orElseGet(() -> text(NOT_FOUND, "The console has no such file."));
  }

  private static boolean isNavigation(Request request) {
    String accept = request.header("accept");
    return accept != null && accept.contains("text/html");
  }

  private static Reply reply(Request request, Asset asset, boolean versioned) {
    boolean known = asset.tag().equals(request.header("if-none-match"));
    Reply reply =
        new Reply(known ? 304 : 200).header("etag", asset.tag()).header("vary", "accept-encoding");
    if (!known && acceptsGzip(request.header("accept-encoding"))) {
      reply.header("content-encoding", "gzip").body(asset.gzip(), asset.type());
    } else if (!known) {
      reply.body(asset.bytes(), asset.type());
    }
    reply.header("content-security-policy", asset.policy());
    return SecurityHeaders.add(
        reply, versioned ? "public, max-age=31536000, immutable" : "no-cache");
  }

  private static boolean acceptsGzip(@Nullable String codings) {
    return codings != null && codings.toLowerCase(Locale.ROOT).contains("gzip");
  }

  private static Reply text(int status, String text) {
    Reply reply =
        new Reply(status).body((text + "\n").getBytes(UTF_8), "text/plain; charset=utf-8");
    return SecurityHeaders.add(reply, "no-store");
  }

  private Optional<Asset> find(String name) {
    String type =
        TYPES.get(name.substring(1 + Math.max(name.lastIndexOf('.'), name.lastIndexOf('/'))));
    if (type == null || !NAME.matcher(name).matches()) {
      return Optional.empty();
    }
    Optional<byte[]> edited = directory.flatMap(path -> read(path.resolve(name)));
    if (edited.isPresent()) {
      return edited.map(bytes -> asset(bytes, type));
    }
    Asset known = loaded.get(name);
    return known != null ? Optional.of(known) : load(name, type);
  }

  private Optional<Asset> load(String name, String type) {
    try (InputStream file = Assets.class.getResourceAsStream(RESOURCES + name)) {
      if (file == null) {
        return Optional.empty();
      }
      Asset asset = asset(file.readAllBytes(), type);
      loaded.put(name, asset);
      return Optional.of(asset);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static Optional<byte[]> read(Path file) {
    try {
      return Files.isRegularFile(file) ? Optional.of(Files.readAllBytes(file)) : Optional.empty();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static Asset asset(byte[] bytes, String type) {
    String tag = '"' + sha256(bytes) + '"';
    return new Asset(bytes, gzip(bytes), type, tag, policy(bytes, type));
  }

  /** The import map is the only inline script; its hash permits it. */
  private static String policy(byte[] bytes, String type) {
    String inline = "";
    if (type.startsWith("text/html")) {
      Matcher map = IMPORT_MAP.matcher(new String(bytes, UTF_8));
      inline = map.find() ? " 'sha256-" + sha256(map.group(1).getBytes(UTF_8)) + "'" : "";
    }
    return "default-src 'none'; script-src 'self'"
        + inline
        + "; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none';"
        + " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script';"
        + " trusted-types lit-html";
  }

  private static String sha256(byte[] bytes) {
    try {
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toByteArray();
  }
}
