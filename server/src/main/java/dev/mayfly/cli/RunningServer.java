package dev.mayfly.cli;

import dev.mayfly.admin.AdminApi;
import dev.mayfly.admin.AdminHandler;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Command target: a running server, over the admin API. */
final class RunningServer implements CommandTarget {
  private static final int OK = 200;
  private static final Set<String> HTTP = Set.of("http", "https");
  private static final System.Logger LOG = System.getLogger(RunningServer.class.getName());

  /** An export batch is 1 MiB plus the document that exceeds it. */
  private static final Limits REPLY_LIMITS = new Limits(32 << 20, 200);

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final String url;
  private final String key;

  /**
   * Creates a target for the server at a URL.
   *
   * @param key master key; empty if the server requires none
   */
  RunningServer(String url, String key) {
    this.url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    this.key = key;
  }

  /**
   * Creates a target for a URL that the user has entered.
   *
   * @throws CommandFailure when it is not an HTTP URL
   */
  static RunningServer at(String url, String key) {
    try {
      URI address = new URI(url);
      if (HTTP.contains(String.valueOf(address.getScheme())) && address.getHost() != null) {
        return new RunningServer(url, key);
      }
    } catch (URISyntaxException invalid) {
      LOG.log(System.Logger.Level.DEBUG, url, invalid);
    }
    throw CommandFailure.usage(
        "--server must be a URL such as http://127.0.0.1:8081, not '" + url + "'.");
  }

  /** Whether the server answers. */
  boolean answers() {
    try {
      return send("GET", "/healthz", Document.EMPTY).statusCode() == OK;
    } catch (IOException unreachable) {
      return false;
    }
  }

  @Override
  public Document request(String method, String path, Document body) {
    try {
      HttpResponse<byte[]> answer = send(method, AdminApi.ROOT + path, body);
      if (answer.statusCode() != OK) {
        throw new CommandFailure(error(answer));
      }
      return Document.of(answer.body(), REPLY_LIMITS);
    } catch (ConnectException unreachable) {
      throw new CommandFailure(
          "No server answers at " + url + ": start one with mayfly serve, or use --data DIR.",
          unreachable);
    } catch (IOException failure) {
      throw new CommandFailure("The server at " + url + " does not answer: " + failure, failure);
    }
  }

  @Override
  public Optional<String> text(String path) {
    try {
      return Optional.of(
          new String(send("GET", path, Document.EMPTY).body(), StandardCharsets.UTF_8));
    } catch (IOException failure) {
      throw new CommandFailure("The server at " + url + " does not answer: " + failure, failure);
    }
  }

  private HttpResponse<byte[]> send(String method, String path, Document body) throws IOException {
    HttpRequest.BodyPublisher sent =
        body.isEmpty()
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofByteArray(body.bytes());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .headers("accept", AdminHandler.BSON, "content-type", AdminHandler.BSON)
            .method(method, sent);
    if (!key.isEmpty()) {
      request.header("authorization", "Bearer " + key);
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  private static String error(HttpResponse<byte[]> answer) {
    try {
      Value error = ExtendedJson.parse(answer.body(), Limits.MONGO).field("error");
      if (!error.isMissing()) {
        return error.asString();
      }
    } catch (ValueException other) {
      // not an error of the admin API: print the body
    }
    return "The server replied "
        + answer.statusCode()
        + ": "
        + new String(answer.body(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    client.close();
  }
}
