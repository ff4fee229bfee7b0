package dev.mayfly.mongo.testing;

import dev.mayfly.mongo.wire.FrameReader;
import dev.mayfly.value.Document;
import dev.mayfly.value.Limits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Client that sends raw frames, for messages that no driver sends. For one thread. */
public final class RawClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;

  private final Socket socket;
  private final FrameReader frames;

  /** A reply and its header. */
  public record Answer(int id, int responseTo, int kind, int flags, Document body) {}

  public RawClient(InetSocketAddress address) throws IOException {
    this(new Socket(address.getAddress(), address.getPort()));
  }

  public RawClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(PATIENCE_MILLIS);
    this.frames = new FrameReader(socket.getInputStream());
  }

  public RawClient send(byte[] frame) throws IOException {
    socket.getOutputStream().write(frame);
    return this;
  }

  /** The body of the reply to a command. */
  public Document call(String body) throws IOException {
    return send(Frames.msg(1, 0, body)).answer().body();
  }

  public Answer answer() throws IOException {
    byte[] frame = frames.next();
    if (frame == null) {
      throw new IOException("the server has closed the connection");
    }
    ByteBuffer header = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
    int kind = header.getInt(12);
    int start = kind == 1 ? 36 : 21;
    return new Answer(
        header.getInt(4),
        header.getInt(8),
        kind,
        header.getInt(16),
        Document.of(frame, start, frame.length, Limits.MONGO));
  }

  /** Whether bytes of a reply have arrived. */
  public boolean hasAnswer() {
    try {
      return socket.getInputStream().available() > 0;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Whether a reply arrives before the connection is closed. */
  public boolean answered() throws IOException {
    return frames.next() != null;
  }

  /** Whether the server closes the connection, possibly after more replies. */
  public boolean closed() throws IOException {
    try {
      byte[] frame = frames.next();
      while (frame != null) {
        frame = frames.next();
      }
      return true;
    } catch (java.net.SocketTimeoutException open) {
      return false;
    } catch (java.net.SocketException reset) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
