package dev.mayfly.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.testing.Desk;
import dev.mayfly.http.Handler;
import dev.mayfly.http.PendingReply;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A request whose client has closed its connection is stopped. */
final class AbandonedRequestTest {
  private static final String COLLS = "/dbs/sales/colls";
  private static final String DOCS = COLLS + "/orders/docs";
  private static final String QUERY_PACKAGE = "dev.mayfly.sql.";

  /** Sees the thread that handles a query, and its reply. */
  private static final class Watched implements Handler {
    private final Handler door;
    private final CompletableFuture<Thread> began = new CompletableFuture<>();
    private final CompletableFuture<Reply> ended = new CompletableFuture<>();

    Watched(Handler door) {
      this.door = door;
    }

    @Override
    public Reply handle(Request request) {
      if (!request.isTrue("x-ms-documentdb-isquery")) {
        return door.handle(request);
      }
      began.complete(Thread.currentThread());
      Reply reply = door.handle(request);
      ended.complete(reply);
      return reply;
    }

    @Override
    public Reply refuse(int status, String reason) {
      return door.refuse(status, reason);
    }

    @Override
    public Optional<Reply> tryHandle(Request request) {
      return door.tryHandle(request);
    }

    @Override
    public Optional<PendingReply> tryBegin(Request request) {
      return door.tryBegin(request);
    }
  }

  private final CompletableFuture<Watched> opened = new CompletableFuture<>();
  private final Desk desk =
      Desk.behind(
          door -> {
            Watched watched = new Watched(door);
            opened.complete(watched);
            return watched;
          });

  @AfterEach
  void close() {
    desk.close();
  }

  @Test
  void aClosedConnectionEndsItsRunningQuery() throws Exception {
    desk.post("/dbs", "{\"id\": \"sales\"}");
    desk.post(COLLS, "{\"id\": \"orders\"}");
    String list =
        IntStream.range(0, 3000).mapToObj(Integer::toString).collect(Collectors.joining(","));
    desk.post(DOCS, "{\"id\": \"1\", \"l\": [" + list + "]}");
    Watched watched = opened.get();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), desk.port())) {
      send(
          socket,
          "SELECT VALUE 1 FROM c JOIN x IN c.l JOIN y IN c.l JOIN z IN c.l WHERE x + y + z < 0");
      Thread thread = watched.began.get();
      while (!computes(thread)) {
        assertThat(watched.ended).as("a query that takes minutes").isNotDone();
        Thread.onSpinWait();
      }
    }
    Reply reply = watched.ended.get();
    assertThat(new String(reply.body(), StandardCharsets.UTF_8))
        .contains("The client has closed its connection.");
    assertThat(reply.status()).isEqualTo(408);
  }

  /** Whether a thread is about the rows of a query. */
  private static boolean computes(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getClassName().startsWith(QUERY_PACKAGE));
  }

  private void send(Socket socket, String sql) throws IOException {
    String body = "{\"query\": \"" + sql + "\"}";
    String request =
        "POST "
            + DOCS
            + " HTTP/1.1\r\nhost: localhost\r\nx-ms-documentdb-isquery: true\r\nx-ms-date: "
            + desk.date()
            + "\r\nauthorization: "
            + desk.authorization("POST", DOCS)
            + "\r\ncontent-length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }
}
