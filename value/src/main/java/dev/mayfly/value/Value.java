package dev.mayfly.value;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

/**
 * Immutable value: its type, and a view of its BSON bytes.
 *
 * <p>Safe for many threads. Values are equal if type and bytes are; whether 1 and 1.0 are the same
 * depends on an {@link Order}.
 *
 * <p>The {@code as} methods throw {@link ValueException} with WRONG_TYPE on any other type.
 */
public final class Value {
  /** The binary subtype that repeats its length inside. */
  static final byte OLD_BINARY = 2;

  private static final byte[] NOTHING = new byte[0];

  /** The value of a field that does not exist. */
  public static final Value MISSING = new Value(Type.MISSING, NOTHING, 0);

  public static final Value NULL = new Value(Type.NULL, NOTHING, 0);
  public static final Value TRUE = new Value(Type.BOOLEAN, new byte[] {1}, 0);
  public static final Value FALSE = new Value(Type.BOOLEAN, new byte[] {0}, 0);
  public static final Value MIN_KEY = new Value(Type.MIN_KEY, NOTHING, 0);
  public static final Value MAX_KEY = new Value(Type.MAX_KEY, NOTHING, 0);
  public static final Value UNDEFINED = new Value(Type.UNDEFINED, NOTHING, 0);

  private final Type type;
  private final byte[] buffer;
  private final int offset;

  private Value(Type type, byte[] buffer, int offset) {
    this.type = type;
    this.buffer = buffer;
    this.offset = offset;
  }

  /** Returns a view of validated bytes at an offset. */
  public static Value view(Type type, byte[] buffer, int offset) {
    return new Value(type, buffer, offset);
  }

  public static Value of(int number) {
    byte[] bytes = new byte[4];
    LittleEndian.int32(bytes, 0, number);
    return new Value(Type.INT32, bytes, 0);
  }

  public static Value of(long number) {
    return int64(Type.INT64, number);
  }

  public static Value of(double number) {
    return int64(Type.DOUBLE, Double.doubleToRawLongBits(number));
  }

  public static Value of(boolean truth) {
    return truth ? TRUE : FALSE;
  }

  public static Value of(String text) {
    return text(Type.STRING, text);
  }

  /** The document as an object. */
  public static Value of(Document document) {
    return new Value(Type.OBJECT, document.buffer(), document.offset());
  }

  /** Returns the array with the values of a document's fields, regardless of their names. */
  public static Value array(Document elements) {
    return new Value(Type.ARRAY, elements.buffer(), elements.offset());
  }

  /** Returns the array of some values, without missing ones. */
  public static Value array(List<Value> elements) {
    DocumentWriter writer = Document.writer();
    for (Value element : elements) {
      writer.add(element);
    }
    return array(writer.build());
  }

  public static Value date(long epochMillis) {
    return int64(Type.DATE, epochMillis);
  }

  public static Value objectId(byte[] twelve) {
    requireObjectId(twelve);
    return new Value(Type.OBJECT_ID, twelve.clone(), 0);
  }

  /** A binary of these bytes; for subtype 2 the inner length is added. */
  public static Value binary(byte subtype, byte[] bytes) {
    int inner = subtype == OLD_BINARY ? 4 : 0;
    byte[] value = new byte[5 + inner + bytes.length];
    LittleEndian.int32(value, 0, inner + bytes.length);
    value[4] = subtype;
    if (inner > 0) {
      LittleEndian.int32(value, 5, bytes.length);
    }
    System.arraycopy(bytes, 0, value, 5 + inner, bytes.length);
    return new Value(Type.BINARY, value, 0);
  }

  /** A MongoDB timestamp: seconds in the upper half, a counter in the lower. */
  public static Value timestamp(long value) {
    return int64(Type.TIMESTAMP, value);
  }

  /** A regular expression; neither text may hold NUL. */
  public static Value regex(String pattern, String options) {
    byte[] bytes = Utf8.bytes(pattern + '\0' + options + '\0');
    if (Utf8.end(bytes, Utf8.end(bytes, 0) + 1) != bytes.length - 1) {
      throw new ValueException(
          ValueException.Reason.MALFORMED, "a regular expression cannot hold NUL");
    }
    return new Value(Type.REGEX, bytes, 0);
  }

  public static Value code(String source) {
    return text(Type.CODE, source);
  }

  public static Value codeWithScope(String source, Document scope) {
    int code = Utf8.length(source);
    byte[] bytes = new byte[4 + 4 + code + 1 + scope.length()];
    LittleEndian.int32(bytes, 0, bytes.length);
    LittleEndian.int32(bytes, 4, code + 1);
    int at = Utf8.write(source, bytes, 8) + 1;
    System.arraycopy(scope.buffer(), scope.offset(), bytes, at, scope.length());
    return new Value(Type.CODE_WITH_SCOPE, bytes, 0);
  }

  public static Value symbol(String text) {
    return text(Type.SYMBOL, text);
  }

  public static Value dbPointer(String namespace, byte[] twelve) {
    requireObjectId(twelve);
    int length = Utf8.length(namespace);
    byte[] bytes = new byte[4 + length + 1 + 12];
    LittleEndian.int32(bytes, 0, length + 1);
    int at = Utf8.write(namespace, bytes, 4) + 1;
    System.arraycopy(twelve, 0, bytes, at, 12);
    return new Value(Type.DB_POINTER, bytes, 0);
  }

  /**
   * The decimal nearest to the number: rounded half to even beyond 34 digits, an infinity beyond
   * the largest exponent, a zero below the smallest.
   */
  public static Value decimal(BigDecimal number) {
    return Decimal.of(number);
  }

  /**
   * The decimal that the text denotes: digits with point and exponent, NaN or an infinity.
   *
   * @throws ValueException MALFORMED if it is not a decimal, or cannot be represented without
   *     rounding
   */
  public static Value decimal(String text) {
    return Decimal.of(text);
  }

  /** The decimal with these 128 bits. */
  public static Value decimal(long high, long low) {
    byte[] bytes = new byte[16];
    LittleEndian.int64(bytes, 0, low);
    LittleEndian.int64(bytes, 8, high);
    return new Value(Type.DECIMAL128, bytes, 0);
  }

  public Type type() {
    return type;
  }

  public boolean isMissing() {
    return type == Type.MISSING;
  }

  public boolean isNull() {
    return type == Type.NULL;
  }

  /** Returns true for the four kinds of numbers. */
  public boolean isNumber() {
    return type.number();
  }

  /** Returns true for an object; not for an array. */
  public boolean isDocument() {
    return type == Type.OBJECT;
  }

  public boolean isArray() {
    return type == Type.ARRAY;
  }

  /** Returns true for NaN as double or decimal. */
  public boolean isNaN() {
    return switch (type) {
      case DOUBLE -> Double.isNaN(LittleEndian.float64(buffer, offset));
      case DECIMAL128 -> Decimal.isNaN(LittleEndian.int64(buffer, offset + 8));
      default -> false;
    };
  }

  /** Returns true for a number other than NaN and the infinities. */
  public boolean isFinite() {
    return switch (type) {
      case INT32, INT64 -> true;
      case DOUBLE -> Double.isFinite(LittleEndian.float64(buffer, offset));
      case DECIMAL128 -> Decimal.isFinite(LittleEndian.int64(buffer, offset + 8));
      default -> false;
    };
  }

  /** Returns the array that contains the bytes, and possibly more; it must not be changed. */
  public byte[] buffer() {
    return buffer;
  }

  /** Returns the offset of the bytes in the buffer. */
  public int offset() {
    return offset;
  }

  /** Returns the number of bytes. */
  public int length() {
    return type.length(buffer, offset);
  }

  /** Returns a number as int: truncated, limited to the range of int; 0 for NaN. */
  public int asInt() {
    return Math.clamp(asLong(), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /** Returns a number as long: truncated, limited to the range of long; 0 for NaN. */
  public long asLong() {
    return switch (type) {
      case INT32 -> LittleEndian.int32(buffer, offset);
      case INT64 -> LittleEndian.int64(buffer, offset);
      case DOUBLE -> (long) LittleEndian.float64(buffer, offset);
      case DECIMAL128 -> Decimal.toLong(high(), low());
      default -> throw wrongType("a number");
    };
  }

  /** Returns a number as the nearest double. */
  public double asDouble() {
    return switch (type) {
      case INT32 -> LittleEndian.int32(buffer, offset);
      case INT64 -> LittleEndian.int64(buffer, offset);
      case DOUBLE -> LittleEndian.float64(buffer, offset);
      case DECIMAL128 -> Decimal.toDouble(high(), low());
      default -> throw wrongType("a number");
    };
  }

  /**
   * Returns the exact value of a finite number; fails with WRONG_TYPE for NaN and the infinities,
   * too.
   */
  public BigDecimal asDecimal() {
    if (!isFinite()) {
      throw wrongType("a finite number");
    }
    return switch (type) {
      case INT32, INT64 -> BigDecimal.valueOf(asLong());
      case DOUBLE -> new BigDecimal(LittleEndian.float64(buffer, offset));
      default -> Decimal.toBigDecimal(high(), low());
    };
  }

  public boolean asBoolean() {
    require(Type.BOOLEAN);
    return buffer[offset] != 0;
  }

  /** The text of a string, a symbol or a code. */
  public String asString() {
    if (type != Type.STRING && type != Type.SYMBOL && type != Type.CODE) {
      throw wrongType("STRING");
    }
    return Utf8.string(buffer, offset + 4, LittleEndian.int32(buffer, offset) - 1);
  }

  /** Milliseconds since 1970. */
  public long asDate() {
    require(Type.DATE);
    return LittleEndian.int64(buffer, offset);
  }

  public long asTimestamp() {
    require(Type.TIMESTAMP);
    return LittleEndian.int64(buffer, offset);
  }

  /** A copy of the twelve bytes. */
  public byte[] asObjectId() {
    require(Type.OBJECT_ID);
    return Arrays.copyOfRange(buffer, offset, offset + 12);
  }

  /** A copy of the bytes of a binary, without the inner length of subtype 2. */
  public byte[] asBinary() {
    int inner = binarySubtype() == OLD_BINARY ? 4 : 0;
    return Arrays.copyOfRange(buffer, offset + 5 + inner, offset + length());
  }

  public byte binarySubtype() {
    require(Type.BINARY);
    return buffer[offset + 4];
  }

  public String regexPattern() {
    require(Type.REGEX);
    return Utf8.string(buffer, offset, Utf8.end(buffer, offset) - offset);
  }

  public String regexOptions() {
    require(Type.REGEX);
    int start = Utf8.end(buffer, offset) + 1;
    return Utf8.string(buffer, start, Utf8.end(buffer, start) - start);
  }

  /** An object, or an array as a document of its elements. */
  public Document asDocument() {
    if (type != Type.OBJECT && type != Type.ARRAY) {
      throw wrongType("OBJECT or ARRAY");
    }
    return Document.trusted(buffer, offset);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Value that) || type != that.type) {
      return false;
    }
    int end = offset + length();
    return Arrays.equals(
        buffer, offset, end, that.buffer, that.offset, that.offset + that.length());
  }

  @Override
  public int hashCode() {
    return 31 * type.code() + Bytes.hash(buffer, offset, length());
  }

  /** Relaxed Extended JSON. */
  @Override
  public String toString() {
    return isMissing() ? "missing" : ExtendedJson.relaxed(this);
  }

  /** The upper half of a decimal. */
  long high() {
    return LittleEndian.int64(buffer, offset + 8);
  }

  /** The lower half of a decimal. */
  long low() {
    return LittleEndian.int64(buffer, offset);
  }

  private void require(Type wanted) {
    if (type != wanted) {
      throw wrongType(wanted.name());
    }
  }

  private ValueException wrongType(String wanted) {
    return new ValueException(
        ValueException.Reason.WRONG_TYPE, "expected " + wanted + " but found " + type);
  }

  private static void requireObjectId(byte[] twelve) {
    if (twelve.length != 12) {
      throw new IllegalArgumentException("an ObjectId has 12 bytes");
    }
  }

  private static Value int64(Type type, long value) {
    byte[] bytes = new byte[8];
    LittleEndian.int64(bytes, 0, value);
    return new Value(type, bytes, 0);
  }

  private static Value text(Type type, String text) {
    int length = Utf8.length(text);
    byte[] bytes = new byte[length + 5];
    LittleEndian.int32(bytes, 0, length + 1);
    Utf8.write(text, bytes, 4);
    return new Value(type, bytes, 0);
  }
}
