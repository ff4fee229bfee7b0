package dev.mayfly.cosmos.hybridrow;

import dev.mayfly.cosmos.rest.CosmosException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** RecordIO: a sequence of rows, each after its length and its checksum. */
public final class RecordIo {
  private static final int HEADER = 5;
  private static final int SEGMENT_LENGTH = HEADER + 1 + Integer.BYTES;
  private static final int RECORD_LENGTH = HEADER + 2 * Integer.BYTES;
  private static final byte HAS_LENGTH = 1;

  private RecordIo() {}

  /** Whether a body has this format, by its first byte. */
  public static boolean is(byte[] body) {
    return body.length > 0 && Byte.toUnsignedInt(body[0]) == Rows.VERSION;
  }

  /**
   * Parses the rows of a body.
   *
   * @param maxRows maximum number of rows to read
   * @throws CosmosException 400 if the body is malformed
   */
  public static List<byte[]> read(byte[] body, int maxRows) {
    RowInput input = new RowInput(body);
    List<byte[]> rows = new ArrayList<>();
    boolean inSegment = false;
    while (!input.atEnd() && rows.size() <= maxRows) {
      int schema = input.header();
      if (schema == Rows.SEGMENT) {
        readSegment(input);
        inSegment = true;
      } else if (schema == Rows.RECORD && inSegment) {
        rows.add(readRecord(input));
      } else {
        throw RowInput.malformed("a segment or record header is expected");
      }
    }
    return rows;
  }

  /** Skips the segment header: its length, and optional comments. */
  private static void readSegment(RowInput input) {
    if (input.octet() != HAS_LENGTH) {
      throw RowInput.malformed("a segment has no length");
    }
    input.take(input.integer() - SEGMENT_LENGTH);
  }

  private static byte[] readRecord(RowInput input) {
    int length = input.integer();
    int checksum = input.integer();
    byte[] row = input.take(length);
    if (checksum(row) != checksum) {
      throw RowInput.malformed("the checksum of a record is wrong");
    }
    return row;
  }

  /** Returns the body with rows. */
  public static byte[] write(List<byte[]> rows) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(
        head(Rows.SEGMENT, SEGMENT_LENGTH).put(HAS_LENGTH).putInt(SEGMENT_LENGTH).array());
    for (byte[] row : rows) {
      body.writeBytes(
          head(Rows.RECORD, RECORD_LENGTH).putInt(row.length).putInt(checksum(row)).array());
      body.writeBytes(row);
    }
    return body.toByteArray();
  }

  /** Returns a buffer for a row, with its header written. */
  static ByteBuffer head(int schema, int length) {
    return ByteBuffer.allocate(length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) Rows.VERSION)
        .putInt(schema);
  }

  private static int checksum(byte[] row) {
    CRC32 crc = new CRC32();
    crc.update(row);
    return (int) crc.getValue();
  }
}
