package dev.mayfly.mongo.wire;

import dev.mayfly.value.Document;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Encodes a command as an uncompressed OP_MSG, as a driver does. */
public final class MessageEncoder {
  private static final int HEADER = 16;
  private static final int MORE_TO_COME = 1 << 1;

  private MessageEncoder() {}

  /** Returns the frame of a command: {@link Message#decode} returns the same command. */
  public static byte[] encode(Message.Call call) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream(HEADER + 5 + call.body().length());
    frame.writeBytes(new byte[HEADER]);
    int32(frame, call.silent() ? MORE_TO_COME : 0);
    frame.write(0);
    write(frame, call.body());
    for (Map.Entry<String, List<Document>> sequence : call.sequences().entrySet()) {
      writeSequence(frame, sequence.getKey(), sequence.getValue());
    }
    byte[] bytes = frame.toByteArray();
    WireBytes.int32(bytes, 0, bytes.length);
    WireBytes.int32(bytes, 4, call.requestId());
    WireBytes.int32(bytes, 12, Message.MSG);
    return bytes;
  }

  private static void writeSequence(
      ByteArrayOutputStream frame, String field, List<Document> documents) {
    byte[] name = field.getBytes(StandardCharsets.UTF_8);
    int length = Integer.BYTES + name.length + 1;
    for (Document document : documents) {
      length += document.length();
    }
    frame.write(1);
    int32(frame, length);
    frame.writeBytes(name);
    frame.write(0);
    documents.forEach(document -> write(frame, document));
  }

  private static void write(ByteArrayOutputStream frame, Document document) {
    frame.write(document.buffer(), document.offset(), document.length());
  }

  private static void int32(ByteArrayOutputStream frame, int value) {
    byte[] bytes = new byte[Integer.BYTES];
    WireBytes.int32(bytes, 0, value);
    frame.writeBytes(bytes);
  }
}
