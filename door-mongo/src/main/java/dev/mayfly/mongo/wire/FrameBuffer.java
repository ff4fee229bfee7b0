package dev.mayfly.mongo.wire;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Puts frames together from what a peer sends piece by piece: a length, then so many bytes in all.
 *
 * <p>It grows with what really arrives, so that nobody takes memory by announcing bytes, and a
 * frame that has come whole is copied once. Belongs to one thread at a time.
 */
public final class FrameBuffer {
  private static final int HEADER = 16;

  /** What a message may have once the client has logged in, or need not. */
  public static final int MAX_BYTES = 48_000_000;

  /** An empty buffer larger than this is let go. */
  private static final int KEPT_BYTES = 16 << 10;

  private static final byte[] NOTHING = {};

  private byte[] buffer = NOTHING;
  private int start;
  private int end;

  /** Takes all of what has arrived. */
  public void add(ByteBuffer arrived) {
    int bytes = arrived.remaining();
    makeRoom(bytes);
    arrived.get(buffer, end, bytes);
    end += bytes;
  }

  private void makeRoom(int bytes) {
    int held = end - start;
    if (buffer.length - end >= bytes) {
      return;
    }
    byte[] roomier =
        buffer.length >= held + bytes
            ? buffer
            : new byte[Math.max(held + bytes, Math.min(2 * held, wanted()))];
    System.arraycopy(buffer, start, roomier, 0, held);
    buffer = roomier;
    start = 0;
    end = held;
  }

  /** How long the frame is that has begun, as far as that is known and can be. */
  private int wanted() {
    return end - start < 4 ? KEPT_BYTES : Math.clamp(WireBytes.int32(buffer, start), 0, MAX_BYTES);
  }

  /**
   * How much memory the frame needs that has begun, unpacked bytes included; 0 as long as that is
   * not known.
   *
   * @param most how many bytes it may have, as it comes and unpacked
   * @throws WireException when it says that it has more, or fewer than any
   */
  public long needed(int most) {
    int held = end - start;
    if (held < 4) {
      return 0;
    }
    int length = WireBytes.int32(buffer, start);
    check(length, HEADER, most);
    if (held < Math.min(length, Message.SIZES)) {
      return 0;
    }
    int unpacked = Message.unpackedBytes(buffer, start, length);
    check(unpacked, 0, most);
    return (long) length + unpacked;
  }

  private static void check(int length, int least, int most) {
    if (length < least || length > most) {
      throw new WireException(
          most < MAX_BYTES && length > most && length <= MAX_BYTES
              ? "a message of " + length + " bytes before login, where " + most + " are the most"
              : "a message cannot have " + length + " bytes");
    }
  }

  /** How many bytes of the frame that has begun are missing; 0 while its length is not known. */
  public int missing() {
    int held = end - start;
    return held < 4 ? 0 : Math.max(0, wanted() - held);
  }

  /** How many bytes have arrived and were not asked for yet. */
  public int held() {
    return end - start;
  }

  /**
   * The next frame, header and all, in an array of its own; null when it is yet to come.
   *
   * @throws WireException when its length cannot be
   */
  public byte @Nullable [] next() {
    int held = end - start;
    if (held < 4) {
      return null;
    }
    int length = WireBytes.int32(buffer, start);
    if (length < HEADER || length > MAX_BYTES) {
      throw new WireException("a message cannot have " + length + " bytes");
    }
    if (held < length) {
      return null;
    }
    return buffer.length == length ? whole() : part(length);
  }

  /** Gives the buffer itself away: it holds nothing else. */
  private byte[] whole() {
    byte[] frame = buffer;
    buffer = NOTHING;
    start = 0;
    end = 0;
    return frame;
  }

  private byte[] part(int length) {
    byte[] frame = Arrays.copyOfRange(buffer, start, start + length);
    start += length;
    if (start == end) {
      start = 0;
      end = 0;
      buffer = buffer.length > KEPT_BYTES ? NOTHING : buffer;
    }
    return frame;
  }

  /** Whether nothing has arrived that was not asked for. */
  public boolean isEmpty() {
    return start == end;
  }

  /** Whether so much has arrived that {@link #startsWithHandshake} can tell. */
  public boolean hasBeginning() {
    return end - start >= 3;
  }

  /**
   * Whether what the peer says first is the beginning of a TLS handshake.
   *
   * <p>A handshake starts with 22, 3 and a minor version from 1. A message that starts so would be
   * longer than 64 KiB, which no first message is.
   */
  public boolean startsWithHandshake() {
    return buffer[start] == 22
        && buffer[start + 1] == 3
        && buffer[start + 2] >= 1
        && buffer[start + 2] <= 4;
  }

  /** What has arrived and was not asked for yet; it is forgotten here. */
  public InputStream taken() {
    InputStream taken = new ByteArrayInputStream(buffer, start, end - start);
    buffer = NOTHING;
    start = 0;
    end = 0;
    return taken;
  }
}
