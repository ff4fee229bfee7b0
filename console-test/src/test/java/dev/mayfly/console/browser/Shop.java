package dev.mayfly.console.browser;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Namespace;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Value;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collections and containers for tests, made through the admin API of the console's port. */
final class Shop {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private Shop() {}

  static Collection collection(MayflyExtension mayfly, String database, String name) {
    return mayfly.engine().collection(new Namespace(database, name));
  }

  /** Creates a container with partition key {@code /customer}. */
  static void container(MayflyExtension mayfly, String database, String name, int ttl) {
    Session session = Session.open(mayfly);
    session.post("/cosmos", cosmos("/dbs", "{\"id\":\"" + database + "\"}"));
    session.post(
        "/cosmos",
        cosmos(
            "/dbs/" + database + "/colls",
            ("{\"id\":\"%s\",\"defaultTtl\":%d,"
                    + "\"partitionKey\":{\"paths\":[\"/customer\"],\"kind\":\"Hash\"}}")
                .formatted(name, ttl)));
  }

  /** Inserts documents through the console's own request, as people do. */
  static void insert(MayflyExtension mayfly, String database, String name, String... texts) {
    Document body =
        Document.writer()
            .put("texts", Value.array(Stream.of(texts).map(Value::of).toList()))
            .build();
    String path = "/collections/%s/%s/insert".formatted(database.replace(":", "%3A"), name);
    String reply = Session.open(mayfly).post(path, Json.write(body));
    if (!reply.contains("\"refused\":[]")) {
      throw new AssertionError(reply);
    }
  }

  /** Runs a command of the MongoDB door. */
  static void command(MayflyExtension mayfly, String database, String command) {
    Document body = Document.writer().put("database", database).put("command", command).build();
    Session.open(mayfly).post("/mongo", Json.write(body));
  }

  private static String cosmos(String path, String body) {
    return "{\"method\":\"POST\",\"path\":\"%s\",\"body\":\"%s\"}"
        .formatted(path, body.replace("\"", "\\\""));
  }

  /** Login of a program on this machine. */
  record Session(String origin, String cookie, String csrf) {
    static Session open(MayflyExtension mayfly) {
      return open("http://localhost:" + URI.create(mayfly.cosmos()).getPort(), "{}");
    }

    /** Logs in. The proof is a user and password, the key, or nothing. */
    static Session open(String origin, String proof) {
      HttpResponse<String> login = send(origin, "/login", proof, null, null);
      String cookie = login.headers().firstValue("set-cookie").orElseThrow().split(";", -1)[0];
      String csrf = login.body().replaceAll(".*\"csrf\":\"([^\"]+)\".*", "$1");
      return new Session(origin, cookie, csrf);
    }

    /** Runs a command of the MongoDB door. Quotes in the command are single. */
    String mongo(String database, String command) {
      return post("/mongo", command(database, command));
    }

    /** Body of a request that runs a command. Quotes in the command are single. */
    static String command(String database, String command) {
      return "{\"database\":\"%s\",\"command\":\"%s\"}"
          .formatted(database, command.replace("'", "\\\""));
    }

    /** Sends a request that may be refused. */
    HttpResponse<String> send(String path, String body) {
      return send(origin, path, body, cookie, csrf);
    }

    String post(String path, String body) {
      HttpResponse<String> reply = send(path, body);
      if (reply.statusCode() != 200) {
        throw new AssertionError(path + ": " + reply.statusCode() + " " + reply.body());
      }
      return reply.body();
    }

    private static HttpResponse<String> send(
        String origin, String path, String body, @Nullable String cookie, @Nullable String csrf) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(origin + "/_mayfly" + path))
              .header("origin", origin)
              .header("content-type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(body));
      if (cookie != null && csrf != null) {
        request.header("cookie", cookie).header("x-mayfly-csrf", csrf);
      }
      try {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
      } catch (java.io.IOException | InterruptedException failure) {
        throw new AssertionError(failure);
      }
    }
  }
}
