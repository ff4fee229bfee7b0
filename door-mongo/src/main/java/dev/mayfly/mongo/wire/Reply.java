package dev.mayfly.mongo.wire;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The reply to one message, built behind its header so that one write sends all of it.
 *
 * <p>One per connection, used again and again; belongs to one thread.
 */
public final class Reply {
  private static final int HEADER = 16;

  /** The longer of the two headers; the shorter starts later. */
  private static final int ROOM = HEADER + 20;

  private static final int MSG_HEADER = HEADER + 5;
  private static final int COMPRESSED_HEADER = HEADER + 9;
  private static final int MORE_TO_COME = 1 << 1;
  private static final int AWAIT_CAPABLE = 1 << 3;

  /** A buffer that a large reply has made larger than this is let go. */
  private static final int KEPT_BYTES = 256 << 10;

  private DocumentWriter document = Document.writerBehind(ROOM);
  private int nextId = 1;
  private int size;

  /** The body, empty, to be filled before it is sent. */
  public DocumentWriter body() {
    size = 0;
    if (document.buffer().length > KEPT_BYTES) {
      document = Document.writerBehind(ROOM);
    }
    return document.clear();
  }

  /** How many bytes the last reply had before it was packed; 0 when it was not sent. */
  public int size() {
    return size;
  }

  /**
   * Ends the body and sends it.
   *
   * @param more whether another reply follows that nobody has to ask for
   * @return what this reply is called
   */
  public int send(OutputStream out, Message to, int responseTo, boolean more) throws IOException {
    int end = document.finish();
    byte[] buffer = document.buffer();
    int start;
    if (to instanceof Message.Query) {
      start = 0;
      header(buffer, start, end, responseTo, Message.REPLY);
      Bytes.int32(buffer, HEADER, AWAIT_CAPABLE);
      Bytes.int32(buffer, HEADER + 4, 0);
      Bytes.int32(buffer, HEADER + 8, 0);
      Bytes.int32(buffer, HEADER + 12, 0);
      Bytes.int32(buffer, HEADER + 16, 1);
    } else {
      start = ROOM - MSG_HEADER;
      header(buffer, start, end, responseTo, Message.MSG);
      Bytes.int32(buffer, start + HEADER, more ? MORE_TO_COME : 0);
      buffer[start + HEADER + 4] = 0;
    }
    size = end - start;
    if (to.compressor() == Compressor.NOOP) {
      out.write(buffer, start, end - start);
    } else {
      sendCompressed(out, to.compressor(), buffer, start, end);
    }
    out.flush();
    return nextId++;
  }

  private void header(byte[] buffer, int start, int end, int responseTo, int kind) {
    Bytes.int32(buffer, start, end - start);
    Bytes.int32(buffer, start + 4, nextId);
    Bytes.int32(buffer, start + 8, responseTo);
    Bytes.int32(buffer, start + 12, kind);
  }

  private static void sendCompressed(
      OutputStream out, Compressor compressor, byte[] plain, int start, int end)
      throws IOException {
    int content = start + HEADER;
    int size = end - content;
    byte[] packed = new byte[COMPRESSED_HEADER + compressor.mostBytes(size)];
    int length = compressor.compress(plain, content, size, packed, COMPRESSED_HEADER);
    System.arraycopy(plain, start, packed, 0, HEADER);
    Bytes.int32(packed, 0, COMPRESSED_HEADER + length);
    Bytes.int32(packed, 12, Message.COMPRESSED);
    Bytes.int32(packed, HEADER, Bytes.int32(plain, start + 12));
    Bytes.int32(packed, HEADER + 4, size);
    packed[HEADER + 8] = (byte) compressor.number();
    out.write(packed, 0, COMPRESSED_HEADER + length);
  }
}
