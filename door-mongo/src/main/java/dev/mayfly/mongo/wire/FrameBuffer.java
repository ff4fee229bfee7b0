package dev.mayfly.mongo.wire;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Assembles frames from received bytes: a frame begins with its length, which includes the header.
 *
 * <p>The buffer grows with the bytes that arrive, so a peer cannot allocate memory by a large
 * length alone. A complete frame is copied once. For one thread at a time.
 */
public final class FrameBuffer {
  private static final int HEADER = 16;

  /** The maximum message size, after login if one is required. */
  public static final int MAX_BYTES = 48_000_000;

  /** An empty buffer larger than this is released. */
  private static final int KEPT_BYTES = 16 << 10;

  private static final byte[] NOTHING = {};

  private byte[] buffer = NOTHING;
  private int start;
  private int end;

  /** Adds all received bytes. */
  public void add(ByteBuffer received) {
    int bytes = received.remaining();
    makeRoom(bytes);
    received.get(buffer, end, bytes);
    end += bytes;
  }

  private void makeRoom(int bytes) {
    int held = end - start;
    if (buffer.length - end >= bytes) {
      return;
    }
    byte[] larger =
        buffer.length >= held + bytes
            ? buffer
            : new byte[Math.max(held + bytes, Math.min(2 * held, wanted()))];
    System.arraycopy(buffer, start, larger, 0, held);
    buffer = larger;
    start = 0;
    end = held;
  }

  /** The length of the current frame, at most {@link #MAX_BYTES}; a default while it is unknown. */
  private int wanted() {
    return end - start < 4 ? KEPT_BYTES : Math.clamp(WireBytes.int32(buffer, start), 0, MAX_BYTES);
  }

  /**
   * The memory that the current frame needs, with its uncompressed bytes; 0 while that is unknown.
   *
   * @param max the maximum size, both as received and uncompressed
   * @throws WireException if its length is invalid or exceeds the maximum
   */
  public long needed(int max) {
    int held = end - start;
    if (held < 4) {
      return 0;
    }
    int length = WireBytes.int32(buffer, start);
    check(length, HEADER, max);
    if (held < Math.min(length, Message.SIZES)) {
      return 0;
    }
    int uncompressed = Message.uncompressedBytes(buffer, start, length);
    check(uncompressed, 0, max);
    return (long) length + uncompressed;
  }

  private static void check(int length, int min, int max) {
    if (length < min || length > max) {
      throw new WireException(
          max < MAX_BYTES && length > max && length <= MAX_BYTES
              ? "message of " + length + " bytes before login: the maximum is " + max
              : "invalid message length: " + length);
    }
  }

  /** The number of missing bytes of the current frame; 0 while its length is unknown. */
  public int missing() {
    int held = end - start;
    return held < 4 ? 0 : Math.max(0, wanted() - held);
  }

  /** The number of received bytes that were not returned yet. */
  public int held() {
    return end - start;
  }

  /**
   * The next frame with its header, in a new array that the caller owns; null if it is incomplete.
   *
   * @throws WireException if its length is invalid
   */
  public byte @Nullable [] next() {
    int held = end - start;
    if (held < 4) {
      return null;
    }
    int length = WireBytes.int32(buffer, start);
    if (length < HEADER || length > MAX_BYTES) {
      throw new WireException("invalid message length: " + length);
    }
    if (held < length) {
      return null;
    }
    return buffer.length == length ? whole() : part(length);
  }

  /** Returns the buffer itself, because it contains nothing else. */
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

  /** Whether all received bytes were returned. */
  public boolean isEmpty() {
    return start == end;
  }

  /** Whether enough bytes have arrived for {@link #startsWithHandshake}. */
  public boolean hasBeginning() {
    return end - start >= 3;
  }

  /**
   * Whether the first bytes are the beginning of a TLS handshake.
   *
   * <p>A handshake starts with 22, 3 and a minor version of 1 to 4. A message with these first
   * bytes would be longer than 64 KiB, and no first message is that long.
   */
  public boolean startsWithHandshake() {
    return buffer[start] == 22
        && buffer[start + 1] == 3
        && buffer[start + 2] >= 1
        && buffer[start + 2] <= 4;
  }

  /** Whether the first bytes are those of an HTTP request. No first message is that long. */
  public boolean startsWithHttp() {
    return buffer[start] == 'G' && buffer[start + 1] == 'E' && buffer[start + 2] == 'T';
  }

  /** Removes and returns the received bytes that were not returned yet. */
  public InputStream removeRest() {
    InputStream rest = new ByteArrayInputStream(buffer, start, end - start);
    buffer = NOTHING;
    start = 0;
    end = 0;
    return rest;
  }
}
