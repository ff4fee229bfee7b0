package dev.mayfly.cosmos.testing;

import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.expiry.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Client of a door that signs its requests. Headers are written as {@code name: value}; a request
 * is signed unless it brings an authorization of its own.
 */
public final class SignedClient implements AutoCloseable {
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final Set<String> CONTAINER_SCOPED = Set.of("operations");

  private final HttpClient http = HttpClient.newHttpClient();
  private final IntSupplier port;
  private final Clock clock;

  /**
   * @param port of the door on this machine
   * @param clock by which requests are dated
   */
  public SignedClient(IntSupplier port, Clock clock) {
    this.port = port;
    this.clock = clock;
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

  public Answer delete(String path, String... headers) {
    return send("DELETE", path, "", headers);
  }

  /** The date that requests are signed with. */
  public String date() {
    return date(clock.now());
  }

  static String date(long millis) {
    return DATE.format(Instant.ofEpochMilli(millis));
  }

  /** Sends a request and waits for its answer. */
  public Answer send(String method, String path, String body, String... headers) {
    return send(method, path, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  /** As {@link #send(String, String, String, String...)}, with a body that is no text. */
  public Answer send(String method, String path, byte[] body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.getAsInt() + path))
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
            .header("x-ms-date", date())
            .header("x-ms-version", "2020-07-15")
            .setHeader("authorization", authorization(method, path, MasterKey.WELL_KNOWN, date()));
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

  /** A signature as the documents of the service describe it. */
  static String authorization(String method, String path, String key, String date) {
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
  }
}
