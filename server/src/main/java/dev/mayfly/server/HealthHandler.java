package dev.mayfly.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.Mayfly;
import dev.mayfly.admin.Readiness;
import dev.mayfly.http.Handler;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Health checks under the paths of the Cosmos DB emulator: {@code /alive}, {@code /ready} and
 * {@code /status}. They need no key and contain no data.
 */
final class HealthHandler implements Handler {
  private static final int OK = 200;
  private static final int NOT_READY = 503;

  private final Supplier<Readiness> readiness;

  HealthHandler(Supplier<Readiness> readiness) {
    this.readiness = readiness;
  }

  @Override
  public Reply handle(Request request) {
    Readiness found = readiness.get();
    int status = found == Readiness.READY ? OK : NOT_READY;
    return switch (request.path()) {
      case "/alive" -> text(OK, "ok");
      case "/ready" -> text(status, found.text());
      case "/status" -> status(status, found);
      default -> refuse(404, "This port serves /alive, /ready and /status.");
    };
  }

  private static Reply status(int status, Readiness found) {
    Document body =
        Document.writer()
            .put("status", found.name().toLowerCase(Locale.ROOT))
            .put("text", found.text())
            .put("version", Mayfly.VERSION)
            .build();
    return new Reply(status).body(Json.write(body).getBytes(UTF_8), "application/json");
  }

  private static Reply text(int status, String text) {
    return new Reply(status).body((text + "\n").getBytes(UTF_8), "text/plain; charset=utf-8");
  }

  @Override
  public Reply refuse(int status, String reason) {
    return text(status, reason);
  }
}
