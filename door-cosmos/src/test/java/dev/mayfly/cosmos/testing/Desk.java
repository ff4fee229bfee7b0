package dev.mayfly.cosmos.testing;

import dev.mayfly.cosmos.CosmosDoor;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.Clock;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.http.Handler;
import dev.mayfly.http.Request;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A door on an engine in memory whose clock is moved by hand, and a client of it.
 *
 * <p>Headers are written as {@code name: value}; a request is signed unless it brings an
 * authorization of its own.
 */
public final class Desk implements AutoCloseable {
  /** Sunday, 15 November 2026. */
  public static final long START = 1_794_700_800_000L;

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final Set<String> CONTAINER_SCOPED = Set.of("operations");

  private final ManualClock clock = new ManualClock(START);
  private final ManualClock wall = new ManualClock(START);
  private final Store store;
  private final UnaryOperator<CosmosSettings> change;
  private final UnaryOperator<Handler> front;
  private final HttpClient http = HttpClient.newHttpClient();
  private volatile Duration tick = Duration.ZERO;
  private Engine engine;
  private CosmosDoor door;

  private Desk(Store store, UnaryOperator<CosmosSettings> change, UnaryOperator<Handler> front) {
    this.store = store;
    this.change = change;
    this.front = front;
    this.engine = engine();
    this.door = door();
  }

  public static Desk open() {
    return open(settings -> settings);
  }

  public static Desk open(UnaryOperator<CosmosSettings> change) {
    return new Desk(new MemoryStore(), change, UnaryOperator.identity());
  }

  /** A door with something before it that sees all requests. */
  public static Desk behind(UnaryOperator<Handler> front) {
    return new Desk(new MemoryStore(), settings -> settings, front);
  }

  /** A door on an engine that keeps everything in a store. */
  public static Desk on(Store store) {
    return new Desk(store, settings -> settings, UnaryOperator.identity());
  }

  private Engine engine() {
    EngineSettings settings = EngineSettings.standard(() -> 0).withBackground(false);
    return LocalEngine.open(store, new EngineClock(), settings);
  }

  /** The clock of the engine: that of the desk, which a look may move. */
  private final class EngineClock implements Clock {
    @Override
    public long now() {
      return clock.advance(tick);
    }

    @Override
    public boolean isManual() {
      return true;
    }
  }

  private CosmosDoor door() {
    CosmosSettings settings = CosmosSettings.standard(wall).withAddress("127.0.0.1", 0);
    return CosmosDoor.open(engine, change.apply(settings), front);
  }

  /** Closes the door and the engine and opens both again. */
  public void restart() {
    door.close();
    engine.close();
    engine = engine();
    door = door();
  }

  public Engine store() {
    return engine;
  }

  public int port() {
    return door.port();
  }

  public String endpoint() {
    return door.endpoint();
  }

  /** Moves the clock of the engine, not that of the clients. */
  public void advance(Duration by) {
    clock.advance(by);
  }

  /** Lets every look of the engine at its clock move the clock. */
  public void tick(Duration by) {
    tick = by;
  }

  /** The time of the engine. */
  public long now() {
    return clock.now();
  }

  /** Moves the clock of the clients, and that by which the door judges it. */
  public void moveClients(Duration by) {
    wall.advance(by);
  }

  /** The date that clients sign with. */
  public String date() {
    return DATE.format(Instant.ofEpochMilli(wall.now()));
  }

  public Answer get(String path, String... headers) {
    return send("GET", path, "", headers);
  }

  public Answer post(String path, String body, String... headers) {
    return send("POST", path, body, headers);
  }

  public Answer put(String path, String body, String... headers) {
    return send("PUT", path, body, headers);
  }

  public Answer patch(String path, String body, String... headers) {
    return send("PATCH", path, body, headers);
  }

  public Answer delete(String path, String... headers) {
    return send("DELETE", path, "", headers);
  }

  /** Sends a request and waits for its answer. */
  public Answer send(String method, String path, String body, String... headers) {
    return send(method, path, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  /** As {@link #send(String, String, String, String...)}, with a body that is no text. */
  public Answer send(String method, String path, byte[] body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
            .header("x-ms-date", date())
            .header("x-ms-version", "2020-07-15")
            .setHeader("authorization", authorization(method, path));
    for (String header : headers) {
      int colon = header.indexOf(':');
      request.setHeader(header.substring(0, colon), header.substring(colon + 1).strip());
    }
    try {
      return new Answer(http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray()));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(hurried);
    }
  }

  /** A signed request of the well-known key at {@link #START}, for a handler without a server. */
  public static Request signed(String method, String path, String body) {
    String date = DATE.format(Instant.ofEpochMilli(START));
    String authorization = authorization(method, path, MasterKey.WELL_KNOWN, date);
    return Request.of(
        method,
        path,
        Map.of("authorization", authorization, "x-ms-date", date),
        body.getBytes(StandardCharsets.UTF_8));
  }

  /** The signature of the well-known key. */
  public String authorization(String method, String path) {
    return authorization(method, path, MasterKey.WELL_KNOWN);
  }

  /** A signature of the well-known key with a date. */
  public String authorizationAt(String method, String path, String date) {
    return authorization(method, path, MasterKey.WELL_KNOWN, date);
  }

  public String authorization(String method, String path, String key) {
    return authorization(method, path, key, date());
  }

  /** A signature as the documents of the service describe it. */
  private static String authorization(String method, String path, String key, String date) {
    String[] parts = path.substring(1).replaceFirst("/$", "").split("/", -1);
    boolean empty = path.equals("/");
    boolean feed = parts.length % 2 == 1;
    String type = empty ? "" : parts[feed ? parts.length - 1 : parts.length - 2];
    int last = path.lastIndexOf('/');
    String link = feed ? (last > 0 ? path.substring(1, last) : "") : String.join("/", parts);
    if (CONTAINER_SCOPED.contains(type)) {
      link = link.substring(0, link.indexOf("/" + type));
      type = "colls";
    }
    if (parts.length > 1 && (parts[1].endsWith("==") || parts[0].equals("offers"))) {
      link = link.substring(link.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    } else if (type.equals("media")) {
      link = attachment(parts[1]).toLowerCase(Locale.ROOT);
    }
    String text =
        (method + "\n" + type + "\n").toLowerCase(Locale.ROOT)
            + link
            + "\n"
            + date.toLowerCase(Locale.ROOT)
            + "\n\n";
    return URLEncoder.encode("type=master&ver=1.0&sig=" + hmac(text, key), StandardCharsets.UTF_8);
  }

  /** Media are signed by the rid of their attachment, which is all but the last byte of theirs. */
  private static String attachment(String media) {
    byte[] bytes = Base64.getDecoder().decode(media.replace('-', '/'));
    byte[] rid = Arrays.copyOf(bytes, bytes.length - 1);
    return Base64.getEncoder().encodeToString(rid).replace('/', '-');
  }

  private static String hmac(String text, String key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
      byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(signature);
    } catch (GeneralSecurityException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }

  @Override
  public void close() {
    http.close();
    door.close();
    engine.close();
    store.close();
  }
}
