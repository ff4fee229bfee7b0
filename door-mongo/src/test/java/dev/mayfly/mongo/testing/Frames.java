package dev.mayfly.mongo.testing;

import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/** Builds frames byte by byte, also invalid ones. */
public final class Frames {
  public static final int MSG = 2013;
  public static final int QUERY = 2004;
  public static final int COMPRESSED = 2012;

  private Frames() {}

  /** A frame with an opcode and contents. */
  public static byte[] frame(int requestId, int kind, byte[]... contents) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    List.of(contents).forEach(all::writeBytes);
    return ByteBuffer.allocate(16 + all.size())
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(16 + all.size())
        .putInt(requestId)
        .putInt(0)
        .putInt(kind)
        .put(all.toByteArray())
        .array();
  }

  /** An OP_MSG with flags and a body. */
  public static byte[] msg(int requestId, int flags, String body) {
    return frame(requestId, MSG, int32(flags), body(body));
  }

  /** An OP_QUERY to a collection. */
  public static byte[] query(int requestId, String collection, String body) {
    return frame(
        requestId,
        QUERY,
        int32(0),
        (collection + "\0").getBytes(StandardCharsets.UTF_8),
        int32(0),
        int32(-1),
        json(body).bytes());
  }

  /** A body section. */
  public static byte[] body(String json) {
    byte[] document = json(json).bytes();
    return ByteBuffer.allocate(1 + document.length).put((byte) 0).put(document).array();
  }

  /** A document sequence section. */
  public static byte[] sequence(String field, String... documents) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes((field + "\0").getBytes(StandardCharsets.UTF_8));
    List.of(documents).forEach(document -> all.writeBytes(json(document).bytes()));
    return ByteBuffer.allocate(5 + all.size())
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) 1)
        .putInt(4 + all.size())
        .put(all.toByteArray())
        .array();
  }

  /** The frame with its checksum appended. */
  public static byte[] summed(byte[] frame) {
    byte[] longer = java.util.Arrays.copyOf(frame, frame.length + 4);
    ByteBuffer buffer = ByteBuffer.wrap(longer).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(0, longer.length);
    CRC32C sum = new CRC32C();
    sum.update(longer, 0, frame.length);
    buffer.putInt(frame.length, (int) sum.getValue());
    return longer;
  }

  public static byte[] int32(int value) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
  }

  public static Document json(String text) {
    return ExtendedJson.parse(text, Limits.MONGO);
  }
}
