package dev.mayfly.cosmos.hybridrow;

import dev.mayfly.cosmos.rest.CosmosException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads the fields of rows in sequence; fails if the input ends too early. */
final class RowInput {
  private static final int SEVEN_BITS = 0x7F;
  private static final int MAX_SHIFT = 28;

  private final ByteBuffer bytes;

  RowInput(byte[] body) {
    this(ByteBuffer.wrap(body));
  }

  private RowInput(ByteBuffer bytes) {
    this.bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
  }

  static CosmosException malformed(String reason) {
    return CosmosException.wrong("The batch is not valid HybridRow: " + reason + ".");
  }

  boolean atEnd() {
    return !bytes.hasRemaining();
  }

  /**
   * Reads the header of a row.
   *
   * @return the number of its schema
   */
  int header() {
    if (octet() != Rows.VERSION) {
      throw malformed("a row has an unknown version");
    }
    return integer();
  }

  /** Reads the header of a row and checks its schema. */
  void header(int schema) {
    if (header() != schema) {
      throw malformed("a row has an unexpected schema");
    }
  }

  int integer() {
    need(Integer.BYTES);
    return bytes.getInt();
  }

  /** Reads an unsigned byte. */
  int octet() {
    need(1);
    return Byte.toUnsignedInt(bytes.get());
  }

  /** Reads a varint: seven bits per byte, low bits first. */
  int length() {
    int value = 0;
    for (int shift = 0; shift <= MAX_SHIFT; shift += 7) {
      int next = octet();
      value |= (next & SEVEN_BITS) << shift;
      if (next <= SEVEN_BITS) {
        return value;
      }
    }
    throw malformed("a length is too long");
  }

  /** Reads bytes with a length prefix. */
  byte[] binary() {
    return take(length());
  }

  /** Reads text with a length prefix. */
  String text() {
    ByteBuffer utf8 = ByteBuffer.wrap(binary());
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
    } catch (CharacterCodingException broken) {
      throw malformed("a text is not UTF-8");
    }
  }

  byte[] take(int count) {
    need(count);
    byte[] taken = new byte[count];
    bytes.get(taken);
    return taken;
  }

  private void need(int count) {
    if (count < 0 || count > bytes.remaining()) {
      throw malformed("it is truncated");
    }
  }
}
