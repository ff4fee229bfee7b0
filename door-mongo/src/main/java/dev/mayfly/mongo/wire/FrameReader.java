package dev.mayfly.mongo.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a peer sends into frames: a length, then so many bytes in all.
 *
 * <p>Small frames are copied out of one buffer that is read into as much as there is; of a large
 * one the rest is read into its own array, which grows with what really arrives, so that nobody
 * takes memory by announcing bytes. Belongs to one thread.
 */
public final class FrameReader {
  private static final int HEADER = 16;
  private static final int MAX_BYTES = 48_000_000;
  private static final int BUFFER = 16 << 10;
  private static final int FIRST_PIECE = 256 << 10;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER];
  private int start;
  private int end;

  public FrameReader(InputStream in) {
    this.in = in;
  }

  /**
   * The next frame, header and all, in an array of its own; null when the peer has said goodbye.
   *
   * @throws WireException when it ends in the middle or its length cannot be
   */
  public byte @Nullable [] next() throws IOException {
    if (!fill(4)) {
      return null;
    }
    int length = Bytes.int32(buffer, start);
    if (length < HEADER || length > MAX_BYTES) {
      throw new WireException("a message cannot have " + length + " bytes");
    }
    return length <= buffer.length ? small(length) : large(length);
  }

  /**
   * Whether what the peer says first is the beginning of a TLS handshake; waits for it.
   *
   * <p>A handshake starts with 22, 3 and a minor version from 1. A message that starts so would be
   * longer than 64 KiB, which no first message is.
   */
  public boolean startsWithHandshake() throws IOException {
    return fill(3)
        && buffer[start] == 22
        && buffer[start + 1] == 3
        && buffer[start + 2] >= 1
        && buffer[start + 2] <= 4;
  }

  /** What was read and not asked for yet; it is forgotten here. */
  public InputStream taken() {
    InputStream taken = new ByteArrayInputStream(buffer, start, end - start);
    start = end;
    return taken;
  }

  private byte[] small(int length) throws IOException {
    if (!fill(length)) {
      throw new WireException("the connection ended in a message");
    }
    byte[] frame = Arrays.copyOfRange(buffer, start, start + length);
    start += length;
    return frame;
  }

  private byte[] large(int length) throws IOException {
    byte[] frame = new byte[Math.min(length, FIRST_PIECE)];
    int filled = end - start;
    System.arraycopy(buffer, start, frame, 0, filled);
    start = end;
    while (filled < length) {
      if (filled == frame.length) {
        frame = Arrays.copyOf(frame, (int) Math.min(length, 2L * filled));
      }
      int read = in.read(frame, filled, frame.length - filled);
      if (read < 0) {
        throw new WireException("the connection ended in a message");
      }
      filled += read;
    }
    return frame;
  }

  /** Has so many bytes at hand; false when the stream ends before the first of them. */
  private boolean fill(int wanted) throws IOException {
    if (wanted > buffer.length - start) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      start = 0;
    }
    while (end - start < wanted) {
      if (start == end) {
        start = 0;
        end = 0;
      }
      int read = in.read(buffer, end, buffer.length - end);
      if (read < 0) {
        if (end > start) {
          throw new WireException("the connection ended in a message");
        }
        return false;
      }
      end += read;
    }
    return true;
  }
}
