package dev.mayfly.engine.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * HTTP receiver of expired documents: keeps what it has acknowledged, without repetitions. It
 * refuses every fourth batch.
 */
final class ExpiryReceiver implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, Document> received = new LinkedHashMap<>();
  private int requests;

  ExpiryReceiver() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    server.createContext("/expired", this::receive);
    server.start();
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/expired");
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      exchange.sendResponseHeaders(keep(body) ? 204 : 503, -1);
    }
  }

  private synchronized boolean keep(String body) {
    requests++;
    if (requests % 4 == 0) {
      return false;
    }
    body.lines()
        .map(line -> ExtendedJson.parse(line, Limits.MONGO))
        .forEach(line -> received.putIfAbsent(line.field("id").asString(), line));
    return true;
  }

  /** Returns the lines of a collection, in the order in which they first came. */
  synchronized List<Document> lines(String uuid) {
    List<Document> lines = new ArrayList<>();
    received.forEach(
        (id, line) -> {
          if (id.startsWith(uuid)) {
            lines.add(line);
          }
        });
    return lines;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
