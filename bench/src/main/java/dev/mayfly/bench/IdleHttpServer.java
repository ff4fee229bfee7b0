package dev.mayfly.bench;

import dev.mayfly.http.Handler;
import dev.mayfly.http.HttpServer;
import dev.mayfly.http.HttpSettings;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** Upper bound for the Cosmos door: the same HTTP server with a handler that only sends 1 KB. */
final class IdleHttpServer {
  private static final byte[] BODY =
      ("{\"id\":\"" + "x".repeat(1010) + "\"}").getBytes(StandardCharsets.UTF_8);

  private IdleHttpServer() {}

  /** Serves until the process ends. */
  public static void main(String[] arguments) throws InterruptedException {
    HttpSettings settings = HttpSettings.standard().withAddress("127.0.0.1", 0);
    HttpServer server = HttpServer.open(settings, new Idle());
    System.out.println("http://127.0.0.1:" + server.port() + "/");
    new CountDownLatch(1).await();
  }

  private static final class Idle implements Handler {
    @Override
    public Reply handle(Request request) {
      return new Reply(200).body(BODY);
    }

    @Override
    public Reply refuse(int status, String reason) {
      return new Reply(status);
    }

    @Override
    public Optional<Reply> tryHandle(Request request) {
      return Optional.of(handle(request));
    }
  }
}
