package dev.mayfly.cluster;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.net.ssl.SSLSocket;

/**
 * Listens for other servers and answers their requests, each on a virtual thread of its own. Safe
 * for many threads.
 */
final class PeerServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PeerServer.class.getName());
  private static final int HANDSHAKE_MILLIS = 5000;

  private final ServerSocket listener;
  private final PeerTls tls;
  private final ClusterClock clock;
  private final Function<byte[], Optional<Member>> members;
  private final Map<RelayKind, RelayHandler> handlers =
      Collections.synchronizedMap(new EnumMap<>(RelayKind.class));
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

  /**
   * @param members returns the member with a fingerprint
   */
  PeerServer(
      ServerSocket listener,
      PeerTls tls,
      ClusterClock clock,
      Function<byte[], Optional<Member>> members) {
    this.listener = listener;
    this.tls = tls;
    this.clock = clock;
    this.members = members;
  }

  void start() {
    Thread.ofVirtual().name("mayfly-peers").start(this::accept);
  }

  /** Sets what answers requests of a kind. */
  void answer(RelayKind kind, RelayHandler handler) {
    handlers.put(kind, handler);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        Thread.ofVirtual().name("mayfly-peer").start(() -> serve(socket));
      } catch (IOException failure) {
        if (!listener.isClosed()) {
          LOG.log(System.Logger.Level.WARNING, "a server could not connect", failure);
        }
      }
    }
  }

  private void serve(Socket socket) {
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(HANDSHAKE_MILLIS);
      SSLSocket secured = tls.wrap(socket, false);
      Optional<Member> member = members.apply(PeerTls.peerOf(secured));
      if (member.isEmpty()) {
        throw new IOException("its server is no member of the cluster");
      }
      secured.setSoTimeout(0);
      new Connection(member.get(), new PeerLink(secured, member.get().name())).run();
    } catch (IOException refused) {
      LOG.log(
          System.Logger.Level.DEBUG,
          "refused the connection of {0}: {1}",
          socket.getRemoteSocketAddress(),
          refused);
      try {
        socket.close();
      } catch (IOException ignored) {
        // it is lost anyway
      }
    }
  }

  /** Closes the connections of servers that are no longer members. */
  void keep(Set<UUID> memberIds) {
    for (Connection connection : connections) {
      if (!memberIds.contains(connection.from.id())) {
        connection.link.close();
      }
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException ignored) {
      // nobody can connect anyway
    }
    connections.forEach(connection -> connection.link.close());
  }

  /** Connection of another server. */
  private final class Connection {
    private final Member from;
    private final PeerLink link;

    /** Ids of the requests in progress that somebody waits for. */
    private final Set<Long> wanted = ConcurrentHashMap.newKeySet();

    Connection(Member from, PeerLink link) {
      this.from = from;
      this.link = link;
    }

    void run() {
      connections.add(this);
      try {
        if (listener.isClosed()) {
          link.close();
        }
        var _ = link.read(this::accept);
      } finally {
        connections.remove(this);
      }
    }

    private void accept(Frame frame) {
      switch (frame.type()) {
        case REQUEST -> {
          wanted.add(frame.id());
          Thread.ofVirtual().name("mayfly-relay").start(() -> answer(frame));
        }
        case CANCEL -> wanted.remove(frame.id());
        case REPLY, MOVED, FAILED, REFUSED -> link.close();
      }
    }

    private void answer(Frame request) {
      Frame reply = replyTo(request);
      if (wanted.remove(request.id())) {
        link.send(reply, () -> {});
      }
    }

    private Frame replyTo(Frame request) {
      long id = request.id();
      if (!clock.hear(request.instant())) {
        return Frame.failure(
            Frame.Type.REFUSED,
            id,
            clock.time(),
            "the clock of server " + from.name() + " is too far ahead of others");
      }
      boolean isKnown = request.number() >= 0 && request.number() < Frame.KINDS.size();
      RelayHandler handler = isKnown ? handlers.get(Frame.KINDS.get(request.number())) : null;
      if (handler == null) {
        return Frame.failure(
            Frame.Type.FAILED, id, clock.time(), "the server does not answer such requests");
      }
      try {
        RelayMessage reply =
            handler.answer(from, request.message(), () -> !link.isOpen() || !wanted.contains(id));
        Frame frame = Frame.reply(id, clock.time(), reply);
        return frame.bytes() - Integer.BYTES <= Frame.MAX_BYTES
            ? frame
            : Frame.failure(
                Frame.Type.FAILED, id, clock.time(), "a reply of " + frame.bytes() + " bytes");
      } catch (MovedException moved) {
        return Frame.moved(id, clock.time(), moved.cell());
      } catch (RuntimeException | StackOverflowError failure) {
        LOG.log(System.Logger.Level.WARNING, "a relayed request failed", failure);
        return Frame.failure(Frame.Type.FAILED, id, clock.time(), String.valueOf(failure));
      }
    }
  }
}
