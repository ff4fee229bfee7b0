package dev.mayfly.mongo.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Cuts a stream into frames, and waits for them. Belongs to one thread. */
public final class FrameReader {
  private static final int PIECE = 16 << 10;

  private final InputStream in;
  private final byte[] piece = new byte[PIECE];
  private final FrameBuffer frames = new FrameBuffer();

  public FrameReader(InputStream in) {
    this.in = in;
  }

  /**
   * The next frame, header and all, in an array of its own; null when the peer has said goodbye.
   *
   * @throws WireException when it ends in the middle or its length cannot be
   */
  public byte @Nullable [] next() throws IOException {
    byte[] frame = frames.next();
    while (frame == null) {
      int read = in.read(piece);
      if (read < 0) {
        if (!frames.isEmpty()) {
          throw new WireException("the connection ended in a message");
        }
        return null;
      }
      frames.add(ByteBuffer.wrap(piece, 0, read));
      frame = frames.next();
    }
    return frame;
  }
}
