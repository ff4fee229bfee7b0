package dev.mayfly.mongo.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads frames from a stream and blocks until they are complete. For one thread. */
public final class FrameReader {
  private static final int PIECE = 16 << 10;

  /** Limits the size of messages, and waits for memory for them. */
  public interface Admission {
    /** The maximum size of the next message in bytes. */
    int maxMessageBytes();

    /** Waits for memory for the current message; called again each time bytes arrive. */
    void admit(long bytes) throws IOException;
  }

  private static final Admission ALL =
      new Admission() {
        @Override
        public int maxMessageBytes() {
          return FrameBuffer.MAX_BYTES;
        }

        @Override
        public void admit(long bytes) {}
      };

  private final InputStream in;
  private final Admission admission;
  private final byte[] piece = new byte[PIECE];
  private final FrameBuffer frames = new FrameBuffer();

  public FrameReader(InputStream in) {
    this(in, ALL);
  }

  public FrameReader(InputStream in, Admission admission) {
    this.in = in;
    this.admission = admission;
  }

  /**
   * The next frame with its header, in a new array that the caller owns; null at the end of the
   * stream.
   *
   * @throws WireException if the stream ends inside a frame or the length is invalid
   */
  public byte @Nullable [] next() throws IOException {
    byte[] frame = admitted();
    while (frame == null) {
      int read = in.read(piece);
      if (read < 0) {
        if (!frames.isEmpty()) {
          throw new WireException("connection closed inside a message");
        }
        return null;
      }
      frames.add(ByteBuffer.wrap(piece, 0, read));
      frame = admitted();
    }
    return frame;
  }

  private byte @Nullable [] admitted() throws IOException {
    long needed = frames.needed(admission.maxMessageBytes());
    if (needed == 0) {
      return null;
    }
    admission.admit(needed);
    return frames.next();
  }
}
