package dev.mayfly.cluster;

import dev.mayfly.cluster.PeerException.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Another server, reached by one connection for all requests, which is opened when it is needed.
 * Safe for many threads.
 */
final class RemotePeer implements Peer, AutoCloseable {
  private static final int CONNECT_MILLIS = 2000;
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Address address;
  private final PeerTls tls;
  private final ClusterClock clock;
  private final LongSupplier ticker;
  private final AtomicLong ids = new AtomicLong();
  private final Map<Long, Pending> pending = new ConcurrentHashMap<>();
  private final ReentrantLock connecting = new ReentrantLock();
  private volatile Member member;
  private volatile boolean closed;
  private volatile long lastFrame;
  private volatile @Nullable PeerLink link;

  /** Where a server listens for others, and the certificate that it must show. */
  @SuppressWarnings("ArrayRecordComponent") // nobody changes or compares it
  record Address(String host, int port, byte[] fingerprint) {}

  /** A request that waits for its reply. */
  private static final class Pending {
    private final PeerLink link;
    private final CompletableFuture<Frame> reply = new CompletableFuture<>();

    /** Whether a part of it may have left this server. */
    private volatile boolean begun;

    Pending(PeerLink link) {
      this.link = link;
    }
  }

  RemotePeer(Member member, Address address, PeerTls tls, ClusterClock clock, LongSupplier ticker) {
    this.member = member;
    this.address = address;
    this.tls = tls;
    this.clock = clock;
    this.ticker = ticker;
  }

  @Override
  public Member member() {
    return member;
  }

  /** Records what the server has published of itself meanwhile. */
  void update(Member published) {
    member = published;
  }

  /**
   * Gives up the requests that wait for their replies: the server gives no sign of life, so it may
   * never answer. Does not close the connection, which could block.
   */
  void giveUpAll() {
    IOException silent = new IOException("it gives no sign of life");
    pending.values().forEach(call -> call.reply.completeExceptionally(silent));
  }

  @Override
  public RelayMessage call(
      RelayKind kind, RelayMessage request, Duration limit, BooleanSupplier abandoned) {
    long end = ticker.getAsLong() + limit.toNanos();
    PeerLink open = connect();
    long id = ids.incrementAndGet();
    Frame frame = Frame.request(id, clock.time(), kind, limit.toMillis(), request);
    if (frame.bytes() - Integer.BYTES > Frame.MAX_BYTES) {
      throw new PeerException(Reason.FAILED, "a request of " + frame.bytes() + " bytes", null);
    }
    Pending call = new Pending(open);
    pending.put(id, call);
    try {
      open.send(frame, () -> call.begun = true);
      if (!open.isOpen()) {
        // the reader may have ended before it saw the request
        fail(open, null);
      }
      return result(await(id, call, end, abandoned));
    } finally {
      pending.remove(id);
    }
  }

  private Frame await(long id, Pending call, long end, BooleanSupplier abandoned) {
    while (true) {
      long left = end - ticker.getAsLong();
      if (left <= 0) {
        closeIfSilent(call.link);
        throw giveUp(id, call, Reason.LOST, "has not answered in time");
      }
      try {
        return call.reply.get(Math.min(left, POLL_NANOS), TimeUnit.NANOSECONDS);
      } catch (TimeoutException waiting) {
        if (abandoned.getAsBoolean()) {
          throw giveUp(id, call, Reason.ABANDONED, "is no longer waited for");
        }
      } catch (ExecutionException lost) {
        Reason reason = call.begun ? Reason.LOST : Reason.NOT_SENT;
        throw new PeerException(
            reason, "the connection to " + member.name() + " was lost", lost.getCause());
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw giveUp(id, call, Reason.ABANDONED, "is no longer waited for");
      }
    }
  }

  /**
   * Closes a connection on which nothing has arrived for long: its peer has stopped, and requests
   * would pile up.
   */
  private void closeIfSilent(PeerLink silent) {
    if (ticker.getAsLong() - lastFrame > SILENCE_NANOS) {
      silent.close();
    }
  }

  private PeerException giveUp(long id, Pending call, Reason reason, String why) {
    call.link.send(Frame.cancel(id), () -> {});
    return new PeerException(reason, "server " + member.name() + " " + why, null);
  }

  private RelayMessage result(Frame frame) {
    clock.hear(frame.instant());
    return switch (frame.type()) {
      case REPLY -> frame.message();
      case MOVED -> throw new MovedException(frame.number());
      case REFUSED -> throw new PeerException(Reason.NOT_SENT, frame.text(), null);
      case FAILED -> throw new PeerException(Reason.FAILED, frame.text(), null);
      case REQUEST, CANCEL ->
          throw new PeerException(
              Reason.FAILED, "server " + member.name() + " has sent no reply", null);
    };
  }

  private PeerLink connect() {
    PeerLink current = link;
    if (current != null && current.isOpen()) {
      return current;
    }
    connecting.lock();
    try {
      PeerLink other = link;
      if (other != null && other.isOpen()) {
        return other;
      }
      if (closed) {
        throw new PeerException(
            Reason.NOT_SENT, "server " + member.name() + " has left the cluster", null);
      }
      PeerLink opened = open();
      lastFrame = ticker.getAsLong();
      link = opened;
      Thread.ofVirtual()
          .name("mayfly-peer-reader-" + member.name())
          .start(() -> fail(opened, opened.read(this::accept)));
      return opened;
    } catch (IOException failure) {
      throw new PeerException(
          Reason.NOT_SENT,
          "server "
              + member.name()
              + " cannot be reached at "
              + address.host()
              + ":"
              + address.port()
              + ": "
              + failure.getMessage(),
          failure);
    } finally {
      connecting.unlock();
    }
  }

  @SuppressWarnings("AddressSelection") // the address of a member, resolved at every connection
  private PeerLink open() throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(address.host(), address.port()), CONNECT_MILLIS);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(CONNECT_MILLIS);
      SSLSocket secured = tls.wrap(socket, true);
      if (!Arrays.equals(PeerTls.peerOf(secured), address.fingerprint())) {
        throw new IOException("another server listens there");
      }
      secured.setSoTimeout(0);
      return new PeerLink(secured, member.name());
    } catch (IOException | RuntimeException failure) {
      socket.close();
      throw failure;
    }
  }

  private void accept(Frame frame) {
    lastFrame = ticker.getAsLong();
    Pending call = pending.get(frame.id());
    if (call != null) {
      call.reply.complete(frame);
    }
  }

  /** Fails the requests of a connection that was lost. */
  private void fail(PeerLink lost, @Nullable IOException reason) {
    IOException cause = reason == null ? new IOException("closed by the other server") : reason;
    for (Pending call : pending.values()) {
      if (call.link == lost) {
        call.reply.completeExceptionally(cause);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    PeerLink current = link;
    if (current != null) {
      current.close();
    }
  }
}
