package dev.mayfly.mongo.schema;

import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Encoding of UUIDs as BSON binary, subtype 4. */
final class Uuids {
  private static final byte SUBTYPE = 4;

  private Uuids() {}

  static Value value(UUID uuid) {
    byte[] bytes =
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .array();
    return Value.binary(SUBTYPE, bytes);
  }
}
