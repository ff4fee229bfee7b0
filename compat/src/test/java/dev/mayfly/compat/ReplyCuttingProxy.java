package dev.mayfly.compat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Proxy between a driver and a server that can break a connection at the worst moment: after the
 * server has executed a command, before the driver gets the reply.
 *
 * <p>Its address stays the same when the server is replaced.
 */
final class ReplyCuttingProxy implements AutoCloseable {
  private static final int HEADER = 16;
  private static final int MAX_BYTES = 50_000_000;
  private static final int OP_CODE_AT = 12;
  private static final int COMPRESSOR_AT = 24;
  private static final int OP_COMPRESSED = 2012;
  private static final String NOTHING = "";

  private final ServerSocket listener;
  private final AtomicReference<String> doomed = new AtomicReference<>(NOTHING);
  private final AtomicInteger cuts = new AtomicInteger();
  private final Set<Integer> compressors = ConcurrentHashMap.newKeySet();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile int target;

  ReplyCuttingProxy(ServerProcess server) {
    target = server.port();
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException failure) {
      throw new UncheckedIOException("the proxy cannot open a port", failure);
    }
    Thread.ofVirtual().start(this::accept);
  }

  /** Connection string for a driver that connects through this proxy only. */
  String uri() {
    return "mongodb://127.0.0.1:" + listener.getLocalPort() + "/?directConnection=true";
  }

  /** Breaks the next connection that sends this command, after the reply of the server. */
  void cutReplyOf(String command) {
    doomed.set(command);
  }

  /** Number of suppressed replies. */
  int cuts() {
    return cuts.get();
  }

  /** Ids of the compressors that either side has used. */
  Set<Integer> compressors() {
    return Set.copyOf(compressors);
  }

  /** Connects to another server from now on; breaks open connections. */
  void forwardTo(ServerProcess server) {
    target = server.port();
    open.forEach(ReplyCuttingProxy::shut);
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } finally {
      open.forEach(ReplyCuttingProxy::shut);
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        open.add(client);
        connect(client);
      } catch (IOException closed) {
        // Either the proxy was closed, which ends the loop, or there is no server at the moment.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    try {
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      open.add(server);
      Wire wire = new Wire(client, server);
      Thread.ofVirtual().start(wire::forwardRequests);
      Thread.ofVirtual().start(wire::forwardReplies);
    } catch (IOException noServer) {
      shut(client);
      throw noServer;
    }
  }

  private static void shut(Socket socket) {
    try {
      socket.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** One connection. */
  private final class Wire {
    private final Socket client;
    private final Socket server;
    private volatile boolean cutNext;

    Wire(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    /** Forwards requests until either side closes the connection. */
    void forwardRequests() {
      carry(
          client,
          server,
          message -> {
            String command = doomed.get();
            if (!command.isEmpty()
                && names(message, command)
                && doomed.compareAndSet(command, NOTHING)) {
              cutNext = true;
            }
            return true;
          });
    }

    /** Forwards replies; the one to suppress breaks the connection. */
    void forwardReplies() {
      carry(
          server,
          client,
          _ -> {
            if (cutNext) {
              cuts.incrementAndGet();
            }
            return !cutNext;
          });
    }

    private void carry(Socket from, Socket to, Inspector inspector) {
      try (from;
          to) {
        DataInputStream in = new DataInputStream(from.getInputStream());
        OutputStream out = to.getOutputStream();
        for (byte[] message = read(in); inspector.passes(message); message = read(in)) {
          note(message);
          out.write(message);
          out.flush();
        }
      } catch (IOException closed) {
        // Closing both sockets ends the other direction.
      } finally {
        open.remove(from);
        open.remove(to);
      }
    }
  }

  /** Decides whether a message is forwarded. */
  private interface Inspector {
    boolean passes(byte[] message);
  }

  private static byte[] read(DataInputStream in) throws IOException {
    byte[] length = in.readNBytes(Integer.BYTES);
    if (length.length < Integer.BYTES) {
      throw new EOFException();
    }
    int size = ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (size < HEADER || size > MAX_BYTES) {
      throw new IOException("invalid message length: " + size);
    }
    byte[] message = new byte[size];
    System.arraycopy(length, 0, message, 0, length.length);
    in.readFully(message, length.length, size - length.length);
    return message;
  }

  private void note(byte[] message) {
    ByteBuffer bytes = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.getInt(OP_CODE_AT) == OP_COMPRESSED) {
      compressors.add((int) bytes.get(COMPRESSOR_AT));
    }
  }

  private static boolean names(byte[] message, String command) {
    return new String(message, US_ASCII).contains("\2" + command + "\0");
  }
}
