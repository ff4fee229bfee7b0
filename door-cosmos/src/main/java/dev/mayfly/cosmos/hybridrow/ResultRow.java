package dev.mayfly.cosmos.hybridrow;

import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Converts the result of a batch operation to a row.
 *
 * <p>Fields of the schema by position: statusCode, subStatusCode (both fixed size); eTag,
 * resourceBody (both variable size); sparse fields by number: 5 retryAfterMilliseconds, 6
 * requestCharge. There is no field for a message.
 */
public final class ResultRow {
  private static final int HEAD = 14;
  private static final int BOTH_CODES = 0b0011;
  private static final int ETAG = 0b0100;
  private static final int BODY = 0b1000;
  private static final int RETRY_AFTER = 5;
  private static final int CHARGE = 6;
  private static final int SEVEN_BITS = 0x7F;

  private ResultRow() {}

  /** Returns the row for a result in JSON. */
  public static byte[] write(Document result) {
    Value etag = result.field("eTag");
    Value body = result.field("resourceBody");
    int present = BOTH_CODES | (etag.isMissing() ? 0 : ETAG) | (body.isMissing() ? 0 : BODY);
    Value substatus = result.field("subStatusCode");
    ByteArrayOutputStream row = new ByteArrayOutputStream();
    row.writeBytes(
        RecordIo.head(Rows.RESULT, HEAD)
            .put((byte) present)
            .putInt(result.field("statusCode").asInt())
            .putInt(substatus.isMissing() ? 0 : substatus.asInt())
            .array());
    if (etag.type() == Type.STRING) {
      binary(row, etag.asString().getBytes(StandardCharsets.UTF_8));
    }
    if (!body.isMissing()) {
      binary(row, Json.bytes(body.asDocument()));
    }
    fields(row, result);
    return row.toByteArray();
  }

  private static void fields(ByteArrayOutputStream row, Document result) {
    Value retryAfter = result.field("retryAfterMilliseconds");
    if (!retryAfter.isMissing()) {
      row.write(Rows.UINT32);
      row.write(RETRY_AFTER);
      row.writeBytes(buffer(Integer.BYTES).putInt((int) retryAfter.asLong()).array());
    }
    row.write(Rows.FLOAT64);
    row.write(CHARGE);
    row.writeBytes(
        buffer(Double.BYTES).putDouble(result.field("requestCharge").asDouble()).array());
  }

  private static void binary(ByteArrayOutputStream row, byte[] bytes) {
    int length = bytes.length;
    while (length > SEVEN_BITS) {
      row.write((length & SEVEN_BITS) | (SEVEN_BITS + 1));
      length >>>= 7;
    }
    row.write(length);
    row.writeBytes(bytes);
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
