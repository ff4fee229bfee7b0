package dev.mayfly.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sends the requests of the console's pages, with the headers of a browser. */
final class ConsoleBrowser {
  private static final Limits LIMITS = new Limits(64 << 20, 200);

  private final HttpClient client;
  private final String address;
  private final Map<String, String> headers = new TreeMap<>();

  /**
   * @param address such as {@code http://127.0.0.1:8081}
   */
  ConsoleBrowser(HttpClient client, String address) {
    this.client = client;
    this.address = address;
    headers.put("origin", address);
    headers.put("sec-fetch-site", "same-origin");
    headers.put("content-type", "application/json");
  }

  static ConsoleBrowser of(Server server, HttpClient client) {
    String url = server.consoleUrl().orElseThrow();
    return new ConsoleBrowser(client, url.replace("/_console/", ""));
  }

  /** Sets a header of all further requests; an empty value removes it. */
  ConsoleBrowser with(String name, String value) {
    if (value.isEmpty()) {
      headers.remove(name);
    } else {
      headers.put(name, value);
    }
    return this;
  }

  /** A copy with the same login. */
  ConsoleBrowser copy() {
    ConsoleBrowser copy = new ConsoleBrowser(client, address);
    copy.headers.clear();
    copy.headers.putAll(headers);
    return copy;
  }

  HttpResponse<String> send(String method, String path, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    headers.forEach(request::header);
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException failure) {
      throw new AssertionError(failure);
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  /** Logs in with a body, and uses the cookie and the token from now on. */
  HttpResponse<String> login(String body) {
    HttpResponse<String> reply = send("POST", "/_mayfly/login", body);
    reply
        .headers()
        .firstValue("set-cookie")
        .ifPresent(cookie -> with("cookie", cookie.substring(0, cookie.indexOf(';'))));
    Value token = json(reply).field("csrf");
    if (!token.isMissing()) {
      with("x-mayfly-csrf", token.asString());
    }
    return reply;
  }

  static Document json(HttpResponse<String> reply) {
    return ExtendedJson.parse(reply.body(), LIMITS);
  }

  private static Document ok(HttpResponse<String> reply) {
    assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
    assertThat(reply.headers().firstValue("cache-control")).contains("no-store");
    assertThat(reply.headers().firstValue("x-content-type-options")).contains("nosniff");
    assertThat(reply.headers().map().keySet()).noneMatch(name -> name.startsWith("access-control"));
    return json(reply);
  }

  Document get(String path) {
    return ok(send("GET", "/_mayfly" + path, ""));
  }

  Document post(String path, Document body) {
    return ok(send("POST", "/_mayfly" + path, ExtendedJson.relaxed(body)));
  }

  Document put(String path, Document body) {
    return ok(send("PUT", "/_mayfly" + path, ExtendedJson.relaxed(body)));
  }

  Document delete(String path) {
    return ok(send("DELETE", "/_mayfly" + path, ""));
  }

  HttpResponse<String> tryPost(String path, Document body) {
    return send("POST", "/_mayfly" + path, ExtendedJson.relaxed(body));
  }

  /** Runs a command of MongoDB. */
  Document mongo(String database, String command) {
    return post("/mongo", command(database, command));
  }

  HttpResponse<String> tryMongo(String database, String command) {
    return tryPost("/mongo", command(database, command));
  }

  static Document command(String database, String command) {
    return Document.writer().put("database", database).put("command", command).build();
  }

  static Value texts(String... texts) {
    return Value.array(List.of(texts).stream().map(Value::of).toList());
  }
}
