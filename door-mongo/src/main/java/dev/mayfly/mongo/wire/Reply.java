package dev.mayfly.mongo.wire;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.nio.ByteBuffer;

/**
 * Reply to a message, built in one buffer after space for its header, so that one write sends it.
 *
 * <p>Each connection has one and reuses it. For one thread at a time.
 */
public final class Reply {
  private static final int HEADER = 16;

  /** Space for the longer of the two headers; the shorter one starts later. */
  private static final int ROOM = HEADER + 20;

  private static final int MSG_HEADER = HEADER + 5;
  private static final int COMPRESSED_HEADER = HEADER + 9;
  private static final int MORE_TO_COME = 1 << 1;
  private static final int AWAIT_CAPABLE = 1 << 3;

  /** A buffer that has grown larger than this is released. */
  private static final int KEPT_BYTES = 64 << 10;

  private DocumentWriter document = Document.writerBehind(ROOM);
  private int id;
  private int size;

  /** The writer of a new body. */
  public DocumentWriter body() {
    size = 0;
    releaseBuffer();
    return document.clear();
  }

  /** Releases the buffer of a large reply that has been sent. */
  public void releaseBuffer() {
    if (document.buffer().length > KEPT_BYTES) {
      document = Document.writerBehind(ROOM);
    }
  }

  /** The uncompressed size of the last reply; 0 if it was not encoded. */
  public int size() {
    return size;
  }

  /**
   * Ends the body and encodes the message. The result is valid until the next call of {@link
   * #body}.
   *
   * @param more whether another reply follows without a request (moreToCome)
   */
  public ByteBuffer pack(Message to, int responseTo, boolean more) {
    int end = document.finish();
    byte[] buffer = document.buffer();
    int start;
    if (to instanceof Message.Query) {
      start = 0;
      header(buffer, start, end, responseTo, Message.REPLY);
      WireBytes.int32(buffer, HEADER, AWAIT_CAPABLE);
      WireBytes.int32(buffer, HEADER + 4, 0);
      WireBytes.int32(buffer, HEADER + 8, 0);
      WireBytes.int32(buffer, HEADER + 12, 0);
      WireBytes.int32(buffer, HEADER + 16, 1);
    } else {
      start = ROOM - MSG_HEADER;
      header(buffer, start, end, responseTo, Message.MSG);
      WireBytes.int32(buffer, start + HEADER, more ? MORE_TO_COME : 0);
      buffer[start + HEADER + 4] = 0;
    }
    size = end - start;
    return to.compressor() == Compressor.NOOP
        ? ByteBuffer.wrap(buffer, start, size)
        : compressed(to.compressor(), buffer, start, end);
  }

  /** The requestID of the last encoded reply. */
  public int id() {
    return id;
  }

  private void header(byte[] buffer, int start, int end, int responseTo, int kind) {
    WireBytes.int32(buffer, start, end - start);
    id++;
    WireBytes.int32(buffer, start + 4, id);
    WireBytes.int32(buffer, start + 8, responseTo);
    WireBytes.int32(buffer, start + 12, kind);
  }

  private static ByteBuffer compressed(Compressor compressor, byte[] plain, int start, int end) {
    int content = start + HEADER;
    int size = end - content;
    byte[] packed = new byte[COMPRESSED_HEADER + compressor.maxCompressedLength(size)];
    int length = compressor.compress(plain, content, size, packed, COMPRESSED_HEADER);
    System.arraycopy(plain, start, packed, 0, HEADER);
    WireBytes.int32(packed, 0, COMPRESSED_HEADER + length);
    WireBytes.int32(packed, 12, Message.COMPRESSED);
    WireBytes.int32(packed, HEADER, WireBytes.int32(plain, start + 12));
    WireBytes.int32(packed, HEADER + 4, size);
    packed[HEADER + 8] = (byte) compressor.number();
    return ByteBuffer.wrap(packed, 0, COMPRESSED_HEADER + length);
  }
}
