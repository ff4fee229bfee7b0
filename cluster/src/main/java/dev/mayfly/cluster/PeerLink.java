package dev.mayfly.cluster;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Connection between two servers. A thread writes the frames in the order in which they are sent;
 * another one reads. So a peer that does not read holds up no sender. Safe for many threads.
 */
final class PeerLink implements AutoCloseable {
  private final SSLSocket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final BlockingQueue<Outgoing> queue = new LinkedBlockingQueue<>();
  private final Thread writer;
  private volatile boolean closed;

  /** A frame to send; {@code begun} is called before its first byte is written. */
  private record Outgoing(Frame frame, Runnable begun) {}

  /** Takes over a socket on which the handshake is done. */
  PeerLink(SSLSocket socket, String name) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    this.writer = Thread.ofVirtual().name("mayfly-peer-writer-" + name).start(this::write);
  }

  boolean isOpen() {
    return !closed;
  }

  /** Sends a frame later. It is lost if the connection is lost before. */
  void send(Frame frame, Runnable begun) {
    queue.add(new Outgoing(frame, begun));
  }

  private void write() {
    try {
      while (!closed) {
        Outgoing next = queue.take();
        while (next != null) {
          next.begun().run();
          next.frame().write(out);
          next = queue.poll();
        }
        out.flush();
      }
    } catch (IOException | InterruptedException lost) {
      close();
    }
  }

  /**
   * Reads frames until the connection is lost, in the calling thread.
   *
   * @return why it was lost; null if the peer has closed it
   */
  @Nullable IOException read(Consumer<Frame> consumer) {
    try {
      for (Frame frame = Frame.read(in); frame != null; frame = Frame.read(in)) {
        consumer.accept(frame);
      }
      return null;
    } catch (IOException lost) {
      return lost;
    } finally {
      close();
    }
  }

  @Override
  public void close() {
    closed = true;
    writer.interrupt();
    try {
      socket.close();
    } catch (IOException ignored) {
      // it is lost anyway
    }
  }
}
