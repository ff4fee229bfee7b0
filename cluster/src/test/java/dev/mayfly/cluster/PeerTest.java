package dev.mayfly.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cluster.PeerException.Reason;
import dev.mayfly.value.Document;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests between two servers, and what can go wrong. */
final class PeerTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final RelayMessage REQUEST =
      new RelayMessage(Document.writer().put("a", 1).build(), new byte[] {1, 2, 3});

  private final Member client =
      new Member(UUID.randomUUID(), 0, "client", "", Optional.empty(), "");
  private final Member server =
      new Member(UUID.randomUUID(), 1, "server", "", Optional.empty(), "");
  private final AtomicBoolean known = new AtomicBoolean(true);
  private ServerSocket listener;
  private PeerTls clientTls;
  private PeerTls serverTls;
  private PeerServer peerServer;
  private RemotePeer peer;

  @BeforeEach
  void start() throws IOException {
    clientTls = new PeerTls("client", 0, _ -> true);
    serverTls = new PeerTls("server", 0, _ -> known.get());
    listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    peerServer =
        new PeerServer(
            listener,
            serverTls,
            clock(1_000_000),
            print ->
                Arrays.equals(print, clientTls.fingerprint())
                    ? Optional.of(client)
                    : Optional.empty());
    peerServer.start();
    peer = peer(serverTls.fingerprint(), clock(1_000_000));
  }

  private static ClusterClock clock(long time) {
    return new ClusterClock(() -> time, () -> 0, Duration.ofMillis(500));
  }

  private RemotePeer peer(byte[] fingerprint, ClusterClock clock) {
    String host = listener.getInetAddress().getHostAddress();
    RemotePeer.Address address = new RemotePeer.Address(host, listener.getLocalPort(), fingerprint);
    return new RemotePeer(server, address, clientTls, clock, System::nanoTime);
  }

  @AfterEach
  void stop() {
    peer.close();
    peerServer.close();
  }

  private RelayMessage call() {
    return peer.call(RelayKind.MONGO, REQUEST, LIMIT, () -> false);
  }

  private static void assertFails(Runnable call, Reason reason) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(PeerException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  @Test
  void requestIsAnsweredByTheHandlerOfItsKind() {
    peerServer.answer(
        RelayKind.MONGO,
        (from, request, abandoned) -> {
          assertThat(from).isEqualTo(client);
          return request;
        });

    RelayMessage reply = call();

    assertThat(reply.header()).isEqualTo(REQUEST.header());
    assertThat(reply.payload()).containsExactly(1, 2, 3);
  }

  @Test
  void largePayloadsPass() {
    byte[] payload = new byte[20 << 20];
    Arrays.fill(payload, (byte) 7);
    peerServer.answer(RelayKind.COSMOS, (from, request, abandoned) -> request);

    RelayMessage reply =
        peer.call(RelayKind.COSMOS, new RelayMessage(Document.EMPTY, payload), LIMIT, () -> false);

    assertThat(reply.payload()).isEqualTo(payload);
  }

  @Test
  void requestThatIsTooLargeIsRefused() {
    byte[] payload = new byte[Frame.MAX_BYTES];
    assertFails(
        () ->
            peer.call(
                RelayKind.MONGO, new RelayMessage(Document.EMPTY, payload), LIMIT, () -> false),
        Reason.FAILED);
  }

  @Test
  void movedCellAndFailuresAreReported() {
    assertFails(this::call, Reason.FAILED);
    peerServer.answer(
        RelayKind.MONGO,
        (from, request, abandoned) -> {
          throw new MovedException(7);
        });
    assertThatThrownBy(this::call)
        .isInstanceOfSatisfying(MovedException.class, e -> assertThat(e.cell()).isEqualTo(7));
    peerServer.answer(
        RelayKind.MONGO,
        (from, request, abandoned) -> {
          throw new IllegalStateException("broken");
        });
    assertFails(this::call, Reason.FAILED);
  }

  @Test
  void abandonedRequestIsGivenUpAtBothServers() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    peerServer.answer(
        RelayKind.MONGO,
        (from, request, abandoned) -> {
          begun.countDown();
          while (!abandoned.getAsBoolean()) {
            Thread.onSpinWait();
          }
          ended.countDown();
          return request;
        });

    assertFails(
        () -> peer.call(RelayKind.MONGO, REQUEST, LIMIT, () -> begun.getCount() == 0),
        Reason.ABANDONED);
    ended.await();
  }

  @Test
  void requestWithoutAnswerInTimeMayHaveHadItsEffect() {
    peerServer.answer(
        RelayKind.MONGO,
        (from, request, abandoned) -> {
          while (!abandoned.getAsBoolean()) {
            Thread.onSpinWait();
          }
          return request;
        });

    assertFails(
        () -> peer.call(RelayKind.MONGO, REQUEST, Duration.ofMillis(500), () -> false),
        Reason.LOST);
  }

  @Test
  void requestIsLostWithItsConnection() {
    peerServer.answer(
        RelayKind.MONGO,
        (from, request, abandoned) -> {
          peerServer.close();
          return request;
        });

    assertFails(this::call, Reason.LOST);
    assertFails(this::call, Reason.NOT_SENT);
  }

  @Test
  void unknownCertificatesAreRefusedByBothSides() {
    peerServer.answer(RelayKind.MONGO, (from, request, abandoned) -> request);
    try (RemotePeer misled = peer(new byte[32], clock(1_000_000))) {
      assertFails(() -> misled.call(RelayKind.MONGO, REQUEST, LIMIT, () -> false), Reason.NOT_SENT);
    }
    known.set(false);
    assertThatThrownBy(this::call).isInstanceOf(PeerException.class);
  }

  @Test
  void requestFromTooFarInTheFutureIsRefused() {
    peerServer.answer(RelayKind.MONGO, (from, request, abandoned) -> request);
    try (RemotePeer ahead = peer(serverTls.fingerprint(), clock(1_000_501))) {
      assertFails(() -> ahead.call(RelayKind.MONGO, REQUEST, LIMIT, () -> false), Reason.NOT_SENT);
    }
  }

  @Test
  void malformedFramesAreRefused() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Frame.request(1, 2, RelayKind.ADMIN, 3, REQUEST).write(new DataOutputStream(bytes));
    byte[] whole = bytes.toByteArray();
    assertThat(read(whole).header()).isEqualTo(REQUEST.header());

    byte[] unknownType = whole.clone();
    unknownType[4] = 99;
    byte[] tooLong = whole.clone();
    tooLong[0] = 0x7F;
    byte[] negative = whole.clone();
    negative[0] = (byte) 0xFF;
    byte[] brokenHeader = whole.clone();
    brokenHeader[33] = 0x7F;
    for (byte[] malformed : new byte[][] {unknownType, tooLong, negative, brokenHeader}) {
      assertThatThrownBy(() -> read(malformed)).isInstanceOf(ProtocolException.class);
    }
    assertThatThrownBy(() -> read(Arrays.copyOf(whole, whole.length - 1)))
        .isInstanceOf(IOException.class);
    assertThat(Frame.read(new DataInputStream(new ByteArrayInputStream(new byte[0])))).isNull();
  }

  private static Frame read(byte[] bytes) throws IOException {
    return Objects.requireNonNull(Frame.read(new DataInputStream(new ByteArrayInputStream(bytes))));
  }
}
