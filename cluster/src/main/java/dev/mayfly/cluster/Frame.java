package dev.mayfly.cluster;

import dev.mayfly.value.Document;
import dev.mayfly.value.Limits;
import dev.mayfly.value.ValueException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Frame of the protocol between servers: length (4 bytes), type (1), id of the request (8), instant
 * of the sender (8), number (4), time limit in milliseconds (8), header as BSON, payload. All
 * numbers are big-endian; the length does not include itself.
 *
 * @param number of a request: its kind; of MOVED: the cell
 */
@SuppressWarnings("ArrayRecordComponent") // nobody changes or compares it
record Frame(
    Type type, long id, long instant, int number, long limit, Document header, byte[] payload) {
  /** Larger than the largest message of a client, with its header. */
  static final int MAX_BYTES = 64 << 20;

  private static final int FIXED_BYTES = 1 + 8 + 8 + 4 + 8;
  private static final byte[] NOTHING = {};

  /** Type of a frame; sent as its index. */
  enum Type {
    REQUEST,
    REPLY,
    /** The server does not serve the cell and has done nothing. */
    MOVED,
    /** The handler has failed. */
    FAILED,
    /** Nothing was done: the instant of the request is too far ahead. */
    REFUSED,
    /** Nobody waits for the reply of a request any more. */
    CANCEL
  }

  private static final List<Type> TYPES = List.of(Type.values());

  /** Kinds of requests; a kind is sent as its index. */
  static final List<RelayKind> KINDS = List.of(RelayKind.values());

  static Frame request(
      long id, long instant, RelayKind kind, long limitMillis, RelayMessage message) {
    return new Frame(
        Type.REQUEST,
        id,
        instant,
        KINDS.indexOf(kind),
        limitMillis,
        message.header(),
        message.payload());
  }

  static Frame reply(long id, long instant, RelayMessage message) {
    return new Frame(Type.REPLY, id, instant, 0, 0, message.header(), message.payload());
  }

  static Frame moved(long id, long instant, int cell) {
    return new Frame(Type.MOVED, id, instant, cell, 0, Document.EMPTY, NOTHING);
  }

  /** Returns a FAILED or REFUSED frame. */
  static Frame failure(Type type, long id, long instant, String message) {
    Document header = Document.writer().put("message", message).build();
    return new Frame(type, id, instant, 0, 0, header, NOTHING);
  }

  static Frame cancel(long id) {
    return new Frame(Type.CANCEL, id, 0, 0, 0, Document.EMPTY, NOTHING);
  }

  RelayMessage message() {
    return new RelayMessage(header, payload);
  }

  /** Returns the message of a failure. */
  String text() {
    return header.field("message").isMissing() ? "" : header.field("message").asString();
  }

  /** Returns the size of its length field and all that follows. */
  int bytes() {
    return Integer.BYTES + FIXED_BYTES + header.length() + payload.length;
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(bytes() - Integer.BYTES);
    out.writeByte(TYPES.indexOf(type));
    out.writeLong(id);
    out.writeLong(instant);
    out.writeInt(number);
    out.writeLong(limit);
    out.write(header.buffer(), header.offset(), header.length());
    out.write(payload);
  }

  /**
   * Reads a frame; returns null at the end of the stream.
   *
   * @throws ProtocolException if it is malformed or too large
   */
  static @Nullable Frame read(DataInputStream in) throws IOException {
    int length;
    try {
      length = in.readInt();
    } catch (EOFException end) {
      return null;
    }
    if (length < FIXED_BYTES + Document.EMPTY.length() || length > MAX_BYTES) {
      throw new ProtocolException("a frame of " + length + " bytes");
    }
    int type = in.readUnsignedByte();
    if (type >= TYPES.size()) {
      throw new ProtocolException("a frame of the unknown type " + type);
    }
    long id = in.readLong();
    long instant = in.readLong();
    int number = in.readInt();
    long limit = in.readLong();
    byte[] rest = in.readNBytes(length - FIXED_BYTES);
    if (rest.length < length - FIXED_BYTES) {
      throw new EOFException("the connection was closed within a frame");
    }
    Document header = header(rest);
    byte[] payload = new byte[rest.length - header.length()];
    System.arraycopy(rest, header.length(), payload, 0, payload.length);
    return new Frame(TYPES.get(type), id, instant, number, limit, header, payload);
  }

  private static Document header(byte[] bytes) throws ProtocolException {
    try {
      return Document.of(bytes, 0, bytes.length, Limits.MONGO);
    } catch (ValueException malformed) {
      ProtocolException failure = new ProtocolException("a frame with a malformed header");
      failure.initCause(malformed);
      throw failure;
    }
  }
}
