package dev.mayfly.mongo.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Cuts a stream into frames, and waits for them. Belongs to one thread. */
public final class FrameReader {
  private static final int PIECE = 16 << 10;

  /** Decides how large messages may be, and waits until there is memory for them. */
  public interface Admission {
    /** How many bytes the next message may have. */
    int mostBytes();

    /** Waits until there is memory for a message that has begun; asked again as it comes. */
    void admit(long bytes) throws IOException;
  }

  private static final Admission ALL =
      new Admission() {
        @Override
        public int mostBytes() {
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
   * The next frame, header and all, in an array of its own; null when the peer has said goodbye.
   *
   * @throws WireException when it ends in the middle or its length cannot be
   */
  public byte @Nullable [] next() throws IOException {
    byte[] frame = admitted();
    while (frame == null) {
      int read = in.read(piece);
      if (read < 0) {
        if (!frames.isEmpty()) {
          throw new WireException("the connection ended in a message");
        }
        return null;
      }
      frames.add(ByteBuffer.wrap(piece, 0, read));
      frame = admitted();
    }
    return frame;
  }

  private byte @Nullable [] admitted() throws IOException {
    long needed = frames.needed(admission.mostBytes());
    if (needed == 0) {
      return null;
    }
    admission.admit(needed);
    return frames.next();
  }
}
