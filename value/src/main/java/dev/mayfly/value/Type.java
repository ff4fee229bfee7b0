package dev.mayfly.value;

import dev.mayfly.value.ValueException.Reason;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Type of a value: the types of BSON, and {@link #MISSING} for a field that does not exist.
 *
 * <p>Each type has a rank in both {@linkplain Order orders}; types of one rank are compared by
 * value, as the four kinds of numbers are. Each has a size in bytes, or -1 if it varies.
 */
public enum Type {
  MISSING(0x00, 1, 1, 0),
  DOUBLE(0x01, 4, 5, 8),
  STRING(0x02, 5, 6, -1),
  OBJECT(0x03, 6, 8, -1),
  ARRAY(0x04, 7, 7, -1),
  BINARY(0x05, 8, 9, -1),
  UNDEFINED(0x06, 2, 2, 0),
  OBJECT_ID(0x07, 9, 10, 12),
  BOOLEAN(0x08, 10, 4, 1),
  DATE(0x09, 11, 11, 8),
  NULL(0x0A, 3, 3, 0),
  REGEX(0x0B, 13, 13, -1),
  DB_POINTER(0x0C, 14, 14, -1),
  CODE(0x0D, 15, 15, -1),
  SYMBOL(0x0E, 5, 6, -1),
  CODE_WITH_SCOPE(0x0F, 16, 16, -1),
  INT32(0x10, 4, 5, 4),
  TIMESTAMP(0x11, 12, 12, 8),
  INT64(0x12, 4, 5, 8),
  DECIMAL128(0x13, 4, 5, 16),
  MIN_KEY(0xFF, 0, 0, 0),
  MAX_KEY(0x7F, 17, 17, 0);

  private static final Type[] BY_CODE = byCode();

  private final byte code;
  private final int mongoRank;
  private final int cosmosRank;
  private final int size;

  Type(int code, int mongoRank, int cosmosRank, int size) {
    this.code = (byte) code;
    this.mongoRank = mongoRank;
    this.cosmosRank = cosmosRank;
    this.size = size;
  }

  /** Returns the type of a BSON type byte; throws {@link ValueException} if it is unknown. */
  public static Type of(byte code) {
    Type type = BY_CODE[code & 0xFF];
    if (type == MISSING) {
      throw new ValueException(Reason.MALFORMED, "unknown type " + (code & 0xFF));
    }
    return type;
  }

  /** Returns the type of a BSON type byte, or {@link #MISSING} if it is unknown. */
  static Type orMissing(byte code) {
    return BY_CODE[code & 0xFF];
  }

  /** The BSON type byte; 0 for {@link #MISSING}. */
  public byte code() {
    return code;
  }

  /** Returns true for the four kinds of numbers. */
  public boolean number() {
    return mongoRank == 4;
  }

  int mongoRank() {
    return mongoRank;
  }

  int cosmosRank() {
    return cosmosRank;
  }

  /** Returns the length in bytes of a well-formed value of this type at an offset. */
  int length(byte[] buffer, int offset) {
    return size >= 0 ? size : variableLength(buffer, offset);
  }

  private int variableLength(byte[] buffer, int offset) {
    if (this == REGEX) {
      return Utf8.end(buffer, Utf8.end(buffer, offset) + 1) + 1 - offset;
    }
    return lengthBy(LittleEndian.int32(buffer, offset));
  }

  /** As {@link #length(byte[], int)}, for a value in native memory. */
  int length(MemorySegment memory, long offset) {
    if (size >= 0) {
      return size;
    }
    if (this == REGEX) {
      long end = Utf8.end(memory, Utf8.end(memory, offset) + 1);
      return Math.toIntExact(end + 1 - offset);
    }
    return lengthBy(LittleEndian.int32(memory, offset));
  }

  /**
   * Returns the length of a value that begins with a length field, as all types of variable size do
   * except one.
   */
  private int lengthBy(int length) {
    return switch (this) {
      case STRING, CODE, SYMBOL -> 4 + length;
      case BINARY -> 5 + length;
      case DB_POINTER -> 16 + length;
      default -> length;
    };
  }

  private static Type[] byCode() {
    Type[] types = new Type[256];
    Arrays.fill(types, MISSING);
    for (Type type : values()) {
      types[type.code & 0xFF] = type;
    }
    return types;
  }
}
