package dev.mayfly.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.http.HttpSettings.Limits;
import dev.mayfly.http.HttpSettings.Timeouts;
import dev.mayfly.http.tls.CertificateAuthority;
import dev.mayfly.http.tls.TlsCertificate;
import dev.mayfly.net.ByteBudget;
import dev.mayfly.value.testing.SeedExtension;
import io.netty.buffer.ByteBufAllocator;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server itself, over sockets, with clients of all manners. */
final class HttpServerTest {
  /** Clients compare certificates with the system clock. */
  private static final LongSupplier WALL = System::currentTimeMillis;

  private static final int BODY_LIMIT = 100_000;
  private static final String CLOSE = "connection: close\r\n";
  private static final int MAX_REQUESTS = 20_000;

  /**
   * Echoes requests; on paths with {@code quick} on the event loop, with {@code short} as pending.
   */
  private static final class Echo implements Handler {
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    /** Threads that called tryHandle, and threads that called handle. */
    private final Queue<String> loopThreads = new ConcurrentLinkedQueue<>();

    private final Queue<String> handled = new ConcurrentLinkedQueue<>();

    private final Disk disk = new Disk();

    @Override
    public Reply handle(Request request) {
      handled.add(Thread.currentThread().getName());
      if (request.path().startsWith("/wait")) {
        arrived.countDown();
        try {
          released.await();
        } catch (InterruptedException hurried) {
          Thread.currentThread().interrupt();
        }
      }
      if (request.path().endsWith("/out-of-memory")) {
        throw new OutOfMemoryError("requested by the test");
      }
      if (request.path().equals("/fail")) {
        throw new IllegalStateException("requested by the test");
      }
      String text =
          request.method()
              + " "
              + request.path()
              + " "
              + request.authority()
              + " "
              + request.body().length
              + (request.secure() ? " secure" : "");
      return new Reply(200)
          .header("x-echo", String.valueOf(request.header("x-said")))
          .body(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Reply refuse(int status, String reason) {
      String body = "{\"refused\":\"" + reason + "\"}";
      return new Reply(status).body(body.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Optional<Reply> tryHandle(Request request) {
      loopThreads.add(Thread.currentThread().getName());
      return request.path().startsWith("/quick") ? Optional.of(handle(request)) : Optional.empty();
    }

    @Override
    public Optional<PendingReply> tryBegin(Request request) {
      return request.path().startsWith("/short")
          ? Optional.of(
              request.path().endsWith("durable")
                  ? new Durable(handle(request), disk)
                  : new Pending(handle(request), request.path().endsWith("kept")))
          : Optional.empty();
    }
  }

  /** A reply that is true at once, or not. */
  private record Pending(Reply reply, boolean tryComplete) implements PendingReply {
    @Override
    public boolean tryFlush() {
      return false;
    }

    @Override
    public boolean wakeAfterFlush(Runnable wake) {
      return false;
    }
  }

  /** A reply that is true after a flush of the disk. */
  private record Durable(Reply reply, Disk disk) implements PendingReply {
    @Override
    public boolean tryComplete() {
      return disk.flushed;
    }

    @Override
    public boolean tryFlush() {
      return disk.isShort;
    }

    @Override
    public boolean wakeAfterFlush(Runnable wake) {
      disk.wakeAfterFlush(wake);
      return true;
    }
  }

  /** A disk that is flushed when the test says so. */
  private static final class Disk {
    private final Semaphore waiting = new Semaphore(0);
    private final Set<Runnable> wakes = ConcurrentHashMap.newKeySet();
    private volatile boolean flushed;

    /** Whether an event loop may flush in its own thread. */
    private volatile boolean isShort;

    void wakeAfterFlush(Runnable wake) {
      wakes.add(wake);
      waiting.release();
    }

    /** Ends a flush; returns how many event loops it has woken. */
    int endFlush(boolean successful) {
      flushed = successful;
      List<Runnable> woken = List.copyOf(wakes);
      wakes.clear();
      woken.forEach(Runnable::run);
      return woken.size();
    }
  }

  private final Echo echo = new Echo();
  private HttpServer server = open(HttpSettings.standard());

  private HttpServer open(HttpSettings settings) {
    return HttpServer.open(
        settings.withLimits(
            new Limits(BODY_LIMIT, Limits.STANDARD.head(), Limits.STANDARD.line(), 100)),
        echo);
  }

  @AfterEach
  void close() {
    echo.released.countDown();
    server.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  /** All that comes until the server ends the connection. */
  private static String readAll(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /** What comes until a text was seen. */
  private static String readUntil(Socket socket, String end) throws IOException {
    StringBuilder seen = new StringBuilder();
    InputStream in = socket.getInputStream();
    while (seen.indexOf(end) < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("ended after: " + seen);
      }
      seen.append((char) next);
    }
    return seen.toString();
  }

  private String exchange(String request) throws IOException {
    try (Socket socket = connect()) {
      write(socket, request);
      return readAll(socket);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/quick", "/slow"})
  void aRequestGetsAReply(String path) throws IOException {
    String reply =
        exchange(
            "GET " + path + "?x=1 HTTP/1.1\r\nHost: here:1\r\nX-Said: yes\r\n" + CLOSE + "\r\n");
    assertThat(reply)
        .startsWith("HTTP/1.1 200 OK\r\n")
        .contains("x-echo: yes\r\n", "content-type: application/json\r\n", "connection: close\r\n")
        .endsWith("\r\n\r\nGET " + path + " here:1 0");
  }

  @Test
  void requestsThatMayBlockRunOnAnotherThread() throws IOException {
    exchange("GET /quick HTTP/1.1\r\nHost: h\r\n" + CLOSE + "\r\n");
    exchange("GET /slow HTTP/1.1\r\nHost: h\r\n" + CLOSE + "\r\n");
    assertThat(echo.loopThreads).containsExactly("http-loop", "http-loop");
    assertThat(echo.handled).first().isEqualTo("http-loop");
    assertThat(echo.handled).last().isNotEqualTo("http-loop");
    assertThat(echo.handled).hasSize(2);
  }

  @Test
  void completePendingRepliesAreSentByTheEventLoop() throws IOException {
    try (Socket socket = connect()) {
      write(socket, "GET /short/kept HTTP/1.1\r\nhost: h\r\n" + CLOSE + "\r\n");
      assertThat(readAll(socket)).endsWith("GET /short/kept h 0");
    }
    assertThat(echo.handled).containsExactly("http-loop");
  }

  @Test
  void incompletePendingRepliesAreSentByAWorker() throws IOException {
    try (Socket socket = connect()) {
      String request = " HTTP/1.1\r\nhost: h\r\n";
      write(socket, "GET /short" + request + "\r\nGET /short/kept" + request + CLOSE + "\r\n");
      assertThat(readAll(socket)).contains("GET /short h 0").endsWith("GET /short/kept h 0");
    }
  }

  @Test
  void repliesThatWaitForTheDiskAreSentByTheLoopsAfterAFlush() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Socket socket = connect();
      sockets.add(socket);
      String request = " HTTP/1.1\r\nhost: h\r\n";
      // the second request waits until the first is answered
      write(socket, "GET /short/durable" + request + "\r\n");
      write(socket, "GET /quick/" + i + request + CLOSE + "\r\n");
    }
    echo.disk.waiting.acquire(20);
    assertThat(echo.disk.endFlush(false)).isLessThanOrEqualTo(loops());
    echo.disk.waiting.acquire(20);
    assertThat(echo.disk.endFlush(true)).isLessThanOrEqualTo(loops());
    for (int i = 0; i < 20; i++) {
      try (Socket socket = sockets.get(i)) {
        assertThat(readAll(socket))
            .contains("GET /short/durable h 0")
            .endsWith("/quick/" + i + " h 0");
      }
    }
    assertThat(echo.handled).allMatch("http-loop"::equals);
  }

  @Test
  void aLoopWithASingleBusyClientFlushesInItsOwnThread() throws Exception {
    try (Socket socket = connect()) {
      for (int i = 0; i < 40; i++) {
        write(socket, "GET /quick/" + i + " HTTP/1.1\r\nhost: h\r\n\r\n");
        readUntil(socket, "h 0");
      }
      echo.disk.isShort = true;
      write(socket, "GET /short/durable HTTP/1.1\r\nhost: h\r\n" + CLOSE + "\r\n");
      assertThat(readAll(socket)).endsWith("GET /short/durable h 0");
      assertThat(echo.disk.waiting.availablePermits()).isZero();
    }
  }

  private static int loops() {
    return HttpSettings.standard().loops();
  }

  @Test
  void aReplyThatWaitsForTheDiskIsSentBeforeTheServerCloses() throws Exception {
    try (Socket socket = connect()) {
      write(socket, "GET /short/durable HTTP/1.1\r\nhost: h\r\n\r\n");
      echo.disk.waiting.acquire();
      Thread closing = Thread.ofPlatform().start(server::close);
      assertThatThrownBy(
              () -> {
                while (true) {
                  connect().close();
                  Thread.onSpinWait();
                }
              })
          .isInstanceOf(IOException.class);
      echo.disk.endFlush(true);
      assertThat(readAll(socket)).endsWith("GET /short/durable h 0");
      closing.join();
    }
  }

  @Test
  void connectionsArePersistent() throws IOException {
    try (Socket socket = connect()) {
      for (String path : new String[] {"/a", "/quick/b", "/c"}) {
        write(socket, "POST " + path + " HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc");
        assertThat(readUntil(socket, "h 3")).contains("POST " + path).contains("keep-alive");
      }
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws IOException {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      String path = (i % 3 == 0 ? "/quick/" : "/slow/") + i;
      all.append("GET ").append(path).append(" HTTP/1.1\r\nHost: h\r\n");
      all.append(i == 199 ? CLOSE : "").append("\r\n");
    }
    String replies = exchange(all.toString());
    int at = 0;
    for (int i = 0; i < 200; i++) {
      int found = replies.indexOf("/" + i + " h 0", at);
      assertThat(found).as("reply %s", i).isGreaterThan(at);
      at = found;
    }
    assertThat(replies.split("HTTP/1.1 200 OK", -1)).hasSize(201);
  }

  @Test
  void aWaitingConnectionDoesNotBlockOthers() throws IOException {
    try (Socket waiting = connect()) {
      write(waiting, "GET /wait HTTP/1.1\r\nHost: h\r\n" + CLOSE + "\r\n");
      assertThat(exchange("GET /other HTTP/1.1\r\nHost: h\r\n" + CLOSE + "\r\n"))
          .endsWith("/other h 0");
      echo.released.countDown();
      assertThat(readAll(waiting)).endsWith("/wait h 0");
    }
  }

  @Test
  void severalEventLoopsServeConnections() throws Exception {
    server.close();
    server = open(HttpSettings.standard().withLoops(3));
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> answered =
          IntStream.range(0, 12)
              .mapToObj(i -> clients.submit(() -> converse("/quick" + i)))
              .toList();
      for (Future<Integer> one : answered) {
        assertThat(one.get()).isEqualTo(200);
      }
    }
  }

  /** How many answers there are in a row that are those to this client's own requests. */
  private int converse(String path) throws IOException {
    int right = 0;
    try (Socket socket = connect()) {
      while (right < 200) {
        write(socket, "GET " + path + " HTTP/1.1\r\nHost: h\r\nX-Said: " + path + "\r\n\r\n");
        String reply = readUntil(socket, " h 0");
        if (!reply.contains("x-echo: " + path + "\r\n")
            || !reply.endsWith("GET " + path + " h 0")) {
          return right;
        }
        right++;
      }
    }
    return right;
  }

  @Test
  void aChunkedBodyIsAssembled() throws IOException {
    assertThat(
            exchange(
                "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n"
                    + CLOSE
                    + "\r\n3\r\nabc\r\n5\r\ndefgh\r\n0\r\n\r\n"))
        .endsWith("POST /x h 8");
  }

  @Test
  void expectContinueGets100() throws IOException {
    try (Socket socket = connect()) {
      write(
          socket,
          "POST /x HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n"
              + CLOSE
              + "\r\n");
      assertThat(readUntil(socket, "\r\n\r\n")).startsWith("HTTP/1.1 100 Continue");
      write(socket, "abc");
      assertThat(readAll(socket)).endsWith("POST /x h 3");
    }
  }

  @Test
  void anOversizedBodyIsRejectedBeforeItIsSent() throws IOException {
    assertThat(
            exchange(
                "POST /x HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: "
                    + (BODY_LIMIT + 1)
                    + "\r\n\r\n"))
        .startsWith("HTTP/1.1 413 ")
        .contains("connection: close")
        .endsWith("{\"refused\":\"Request size is too large\"}");
  }

  @Test
  void aClientReadsTheErrorWhileItStillSends() throws IOException {
    String chunk = "2710\r\n" + "x".repeat(10_000) + "\r\n";
    assertThat(
            exchange(
                "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + chunk.repeat(20)
                    + "0\r\n\r\n"))
        .startsWith("HTTP/1.1 413 ");
  }

  @Test
  void aBodyUpToTheLimitIsAccepted() throws IOException {
    assertThat(
            exchange(
                "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: "
                    + BODY_LIMIT
                    + "\r\n"
                    + CLOSE
                    + "\r\n"
                    + "x".repeat(BODY_LIMIT)))
        .endsWith("POST /x h " + BODY_LIMIT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u0000\u0001\u0002\u0003\r\n\r\n",
        "hello\r\n\r\n",
        "GET / HTTP/9.9.9\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: many\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      })
  void malformedRequestsAreRejectedAndClosed(String nonsense) throws IOException {
    assertThat(exchange(nonsense)).startsWith("HTTP/1.1 400 ").contains("refused");
  }

  @Test
  void oversizedHeadersAndPathsAreRejected() throws IOException {
    assertThat(exchange("GET / HTTP/1.1\r\nHost: h\r\nX: " + "x".repeat(70_000) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431 ");
    assertThat(exchange("GET /" + "x".repeat(20_000) + " HTTP/1.1\r\n\r\n"))
        .startsWith("HTTP/1.1 414 ");
  }

  @Test
  void aFailedRequestGets500AndTheConnectionStays() throws IOException {
    try (Socket socket = connect()) {
      write(socket, "GET /fail HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(readUntil(socket, "}")).startsWith("HTTP/1.1 500 ");
      write(socket, "GET /x HTTP/1.1\r\nHost: h\r\n" + CLOSE + "\r\n");
      assertThat(readAll(socket)).endsWith("GET /x h 0");
    }
  }

  @Test
  void headerInjectionIsPrevented() throws IOException {
    Reply reply = new Reply(200).header("x-name", "a\r\nset: b");
    var bytes = new ReplyEncoder().encode(ByteBufAllocator.DEFAULT, reply, true, false);
    assertThat(bytes.toString(StandardCharsets.ISO_8859_1)).doesNotContain("\r\nset");
    bytes.release();
  }

  @Test
  void headRequestsGetNoBody() throws IOException {
    assertThat(exchange("HEAD /x HTTP/1.1\r\nHost: h\r\n" + CLOSE + "\r\n"))
        .contains("content-length: 11\r\n")
        .endsWith("\r\n\r\n");
  }

  @Test
  void aRequestMustHaveOneHostHeader() throws IOException {
    assertThat(exchange("GET /x HTTP/1.1\r\n" + CLOSE + "\r\n")).startsWith("HTTP/1.1 400 ");
    assertThat(exchange("GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"))
        .startsWith("HTTP/1.1 400 ");
    assertThat(exchange("GET /x HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"xchunked", "gzip, chunked", "identity"})
  void unknownTransferEncodingsAreRejected(String coding) throws IOException {
    String reply =
        exchange(
            "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
                + coding
                + "\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n");
    assertThat(reply).startsWith("HTTP/1.1 501 ").containsOnlyOnce("HTTP/1.1");
    assertThat(echo.handled).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/quick/out-of-memory", "/slow/out-of-memory"})
  void anErrorInAHandlerGets500(String path) throws IOException {
    try (Socket socket = connect()) {
      write(socket, "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(readUntil(socket, "\r\n\r\n")).startsWith("HTTP/1.1 500 ");
    }
    assertThat(exchange("GET /x HTTP/1.1\r\nHost: h\r\n" + CLOSE + "\r\n")).endsWith("GET /x h 0");
  }

  @Test
  void slowHeadersCloseTheConnection() throws IOException {
    server.close();
    Timeouts little =
        new Timeouts(
            Duration.ofMillis(200),
            Duration.ofMillis(100),
            Duration.ofSeconds(600),
            Duration.ofSeconds(1));
    server = open(HttpSettings.standard().withTimeouts(little));
    assertThat(exchange("")).isEmpty();
    assertThat(exchange("GET / HTTP/1.1\r\nHost: h\r\nX-")).isEmpty();
    try (Socket socket = connect()) {
      write(socket, "GET /x HTTP/1.1\r\nHost: h\r\n\r\n");
      readUntil(socket, "GET /x h 0");
      write(socket, "GET /y HT");
      assertThat(readAll(socket)).isEmpty();
    }
  }

  /** Sends requests, which must succeed, until a condition holds. */
  private void sendUntil(BooleanSupplier reached) throws IOException {
    for (int i = 0; i < MAX_REQUESTS && !reached.getAsBoolean(); i++) {
      assertThat(exchange("GET /x HTTP/1.1\r\nHost: h\r\n" + CLOSE + "\r\n"))
          .endsWith("GET /x h 0");
    }
    assertThat(reached.getAsBoolean()).as("after %s requests", MAX_REQUESTS).isTrue();
  }

  @Test
  void bodiesWaitForMemory() throws IOException {
    server.close();
    ByteBudget budget = new ByteBudget(5 * 100_000);
    server = open(HttpSettings.standard().withMemory(budget));
    String head = "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 90000\r\n" + CLOSE + "\r\n";
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Socket socket = connect();
      write(socket, head + "x".repeat(20_000));
      slow.add(socket);
    }
    sendUntil(() -> budget.waiting() == 9);
    assertThat(budget.usedBytes()).isEqualTo(90_000);
    try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Socket socket : slow) {
        var _ =
            others.submit(
                () -> {
                  write(socket, "x".repeat(70_000));
                  return null;
                });
      }
      for (Socket socket : slow) {
        assertThat(readAll(socket)).endsWith("POST /x h 90000");
        socket.close();
      }
    }
    assertThat(budget.waiting()).isZero();
  }

  @Test
  void chunkedBodiesWaitForMemory() throws IOException {
    server.close();
    ByteBudget budget = new ByteBudget(5 * 100_000);
    server = open(HttpSettings.standard().withMemory(budget));
    String chunk = Integer.toHexString(20_000) + "\r\n" + "x".repeat(20_000) + "\r\n";
    String head = "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n" + CLOSE + "\r\n";
    try (Socket first = connect();
        Socket second = connect()) {
      write(first, head + chunk);
      sendUntil(() -> budget.usedBytes() > 0);
      write(second, head + chunk + chunk);
      sendUntil(() -> budget.waiting() > 0);
      write(first, "0\r\n\r\n");
      assertThat(readAll(first)).endsWith("POST /x h 20000");
      write(second, "0\r\n\r\n");
      assertThat(readAll(second)).endsWith("POST /x h 40000");
    }
  }

  @Test
  void aDisconnectDuringARequestAffectsNoOtherClient() throws IOException {
    for (int i = 0; i < 20; i++) {
      try (Socket socket = connect()) {
        write(socket, "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc");
      }
    }
    assertThat(exchange("GET /x HTTP/1.1\r\nHost: h\r\n" + CLOSE + "\r\n")).endsWith("GET /x h 0");
  }

  @Test
  void anIncompleteRequestTimesOut() throws IOException {
    server.close();
    Timeouts little =
        new Timeouts(
            Duration.ofSeconds(60),
            Duration.ofMillis(100),
            Duration.ofSeconds(60),
            Duration.ofSeconds(1));
    server = open(HttpSettings.standard().withTimeouts(little));
    assertThat(exchange("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc"))
        .startsWith("HTTP/1.1 408 ");
  }

  @Test
  void idleConnectionsAreClosed() throws IOException {
    server.close();
    Timeouts little =
        new Timeouts(
            Duration.ofSeconds(60),
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofSeconds(1));
    server = open(HttpSettings.standard().withTimeouts(little));
    assertThat(exchange("")).isEmpty();
    assertThat(exchange("GET / HT")).isEmpty();
  }

  @Test
  void closingWaitsForRequestsInProgress() throws Exception {
    try (Socket socket = connect()) {
      write(socket, "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n");
      echo.arrived.await();
      Thread closing = Thread.ofVirtual().start(server::close);
      assertThatThrownBy(
              () -> {
                while (true) {
                  connect().close();
                  Thread.onSpinWait();
                }
              })
          .isInstanceOf(IOException.class);
      echo.released.countDown();
      assertThat(readAll(socket)).endsWith("GET /wait h 0");
      closing.join();
    }
  }

  @Test
  void anAddressInUseIsReported() {
    HttpSettings same = HttpSettings.standard().withAddress("127.0.0.1", server.port());
    assertThatThrownBy(() -> HttpServer.open(same, echo))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("127.0.0.1:" + server.port());
  }

  @Test
  void onePortServesTlsAndPlainHttp() throws Exception {
    server.close();
    CertificateAuthority authority = CertificateAuthority.create(WALL.getAsLong());
    server = open(HttpSettings.standard().withTls(certificate(authority).context()));
    try (HttpClient client =
        HttpClient.newBuilder().sslContext(trusting(authority.pem())).build()) {
      for (String host : new String[] {"localhost", "127.0.0.1"}) {
        assertThat(get(client, "https://" + host + ":" + server.port() + "/x"))
            .endsWith("/x " + host + ":" + server.port() + " 0 secure");
      }
      assertThat(get(client, "http://localhost:" + server.port() + "/x")).endsWith(" 0");
    }
  }

  private static TlsCertificate certificate(CertificateAuthority authority) {
    return TlsCertificate.issuedBy(authority, List.of("localhost", "127.0.0.1"), WALL);
  }

  private static String get(HttpClient client, String uri) throws Exception {
    return client
        .send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** Trusts a certificate, and checks host names as clients do. */
  private static SSLContext trusting(String pem) throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(
        "mayfly",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem.getBytes(US_ASCII))));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  @Test
  void aFailedTlsHandshakeClosesOnlyItsConnection() throws IOException {
    server.close();
    server =
        open(
            HttpSettings.standard()
                .withTls(certificate(CertificateAuthority.create(WALL.getAsLong())).context()));
    exchange("\u0016\u0003\u0001\u0000\u0005nonsense that is no handshake at all");
    assertThat(exchange("GET /x HTTP/1.1\r\nHost: h\r\n" + CLOSE + "\r\n")).endsWith("GET /x h 0");
  }

  @Test
  @ExtendWith(SeedExtension.class)
  void randomBytesDoNotBreakTheServer(Random random) throws IOException {
    for (int i = 0; i < 100; i++) {
      byte[] noise = new byte[random.nextInt(200)];
      random.nextBytes(noise);
      try (Socket socket = connect()) {
        socket.getOutputStream().write(noise);
        socket.shutdownOutput();
        socket.getInputStream().readAllBytes();
      } catch (SocketException reset) {
        assertThat(reset).hasMessageContaining("reset");
      }
    }
    assertThat(exchange("GET /x HTTP/1.1\r\nHost: h\r\n" + CLOSE + "\r\n")).endsWith("GET /x h 0");
  }
}
