package dev.mayfly.value;

import java.util.Arrays;

/**
 * Encoder of keys whose byte order is the order of their values.
 *
 * <p>Each component delimits itself, so keys of several components are plain concatenations. Values
 * that are equal in the order give equal bytes. The encoding is specified in {@code
 * docs/formats/keys.md}. Mutable and reusable, for one thread.
 */
public final class KeyWriter {
  static final byte END = 0x00;
  static final byte FIELD = 0x01;
  static final byte ESCAPED_NUL = (byte) 0xFF;
  static final byte TEXT_END = 0x01;
  static final byte EXACT = 0x00;
  static final byte BETWEEN = 0x01;
  static final int EXPONENT_BIAS = 0x8000;

  private byte[] buffer = new byte[64];
  private int length;

  /** Appends a value, ascending. */
  public KeyWriter append(Value value, Order tags) {
    return append(value.type(), value.buffer(), value.offset(), tags);
  }

  /** Appends a value in a buffer, ascending. */
  public KeyWriter append(Type type, byte[] source, int offset, Order tags) {
    appendByte(Brackets.low(type, tags));
    payload(type, source, offset, tags);
    return this;
  }

  /** Appends a value so that greater values come first: the ascending bytes, inverted. */
  public KeyWriter appendDescending(Value value, Order tags) {
    int start = length;
    append(value, tags);
    invert(start);
    return this;
  }

  /**
   * Appends the common prefix of the keys of all strings that start with this text: the result is
   * not above any of these keys, and with 0xFF appended not below.
   */
  public KeyWriter appendPrefix(String text, Order tags) {
    appendByte(Brackets.low(Type.STRING, tags));
    byte[] utf8 = Utf8.bytes(text);
    escaped(utf8, 0, utf8.length);
    return this;
  }

  /** Appends eight bytes that sort as signed numbers do. */
  public KeyWriter appendLong(long value) {
    reserve(8);
    BigEndian.int64(buffer, length, value ^ Long.MIN_VALUE);
    length += 8;
    return this;
  }

  /** Appends four bytes that sort as unsigned numbers do. */
  public KeyWriter appendInt(int value) {
    reserve(4);
    BigEndian.int32(buffer, length, value);
    length += 4;
    return this;
  }

  /** Appends one byte unchanged. */
  public KeyWriter appendByte(int b) {
    reserve(1);
    buffer[length++] = (byte) b;
    return this;
  }

  /** Appends bytes unchanged. */
  public KeyWriter appendBytes(byte[] bytes) {
    return appendBytes(bytes, 0, bytes.length);
  }

  /** Appends bytes unchanged. */
  public KeyWriter appendBytes(byte[] source, int offset, int count) {
    reserve(count);
    System.arraycopy(source, offset, buffer, length, count);
    length += count;
    return this;
  }

  /** Returns a copy of the key so far. */
  public byte[] bytes() {
    return Arrays.copyOf(buffer, length);
  }

  /** Returns the length of the key so far in bytes. */
  public int length() {
    return length;
  }

  /** Returns the buffer with the key and unused room after it; valid until the next change. */
  public byte[] buffer() {
    return buffer;
  }

  /** Drops all but the first bytes. */
  public KeyWriter truncate(int length) {
    if (length < 0 || length > this.length) {
      throw new IllegalArgumentException("a key can only be shortened");
    }
    this.length = length;
    return this;
  }

  /** Drops everything. */
  public KeyWriter clear() {
    length = 0;
    return this;
  }

  private void payload(Type type, byte[] source, int offset, Order tags) {
    switch (type) {
      case MISSING, UNDEFINED, NULL, MIN_KEY, MAX_KEY -> {}
      case INT32, INT64, DOUBLE, DECIMAL128 -> number(type, source, offset);
      case STRING, SYMBOL, CODE -> string(source, offset);
      case OBJECT -> object(source, offset, tags);
      case ARRAY -> array(source, offset, tags);
      case BINARY -> sized(source, offset, 1 + LittleEndian.int32(source, offset));
      case DB_POINTER -> sized(source, offset, 12 + LittleEndian.int32(source, offset));
      case OBJECT_ID -> appendBytes(source, offset, 12);
      case BOOLEAN -> appendByte(source[offset]);
      case DATE -> appendLong(LittleEndian.int64(source, offset));
      case TIMESTAMP -> appendLong(LittleEndian.int64(source, offset) ^ Long.MIN_VALUE);
      case REGEX -> appendBytes(source, offset, type.length(source, offset));
      case CODE_WITH_SCOPE -> {
        string(source, offset + 4);
        object(source, offset + 8 + LittleEndian.int32(source, offset + 4), tags);
      }
    }
  }

  private void number(Type type, byte[] source, int offset) {
    double floor = Numbers.floor(type, source, offset);
    reserve(9);
    BigEndian.int64(buffer, length, sortable(floor));
    length += 8;
    if (Numbers.isExact(type, source, offset, floor)) {
      buffer[length++] = EXACT;
    } else {
      buffer[length++] = BETWEEN;
      digits(Value.view(type, source, offset));
    }
  }

  /** Returns the bits of a double, ordered as unsigned numbers; 0 for NaN. */
  private static long sortable(double number) {
    if (Double.isNaN(number)) {
      return 0;
    }
    long bits = Double.doubleToRawLongBits(number);
    return bits ^ (bits >> 63 | Long.MIN_VALUE);
  }

  /** Appends exponent and digits in pairs, for a number between two doubles, which is not zero. */
  private void digits(Value number) {
    int start = length;
    boolean small = number.type() == Type.INT64 || Decimal.isSmall(number.high(), number.low());
    String digits =
        small ? smallDigits(number) : number.asDecimal().unscaledValue().abs().toString();
    int exponent = number.type() == Type.INT64 ? 0 : Decimal.exponent(number.high());
    appendInt16(digits.length() + exponent + EXPONENT_BIAS);
    int significant = digits.length();
    while (digits.charAt(significant - 1) == '0') {
      significant--;
    }
    for (int i = 0; i < significant; i += 2) {
      int tens = digits.charAt(i) - '0';
      int ones = i + 1 < significant ? digits.charAt(i + 1) - '0' : 0;
      appendByte(1 + 10 * tens + ones);
    }
    appendByte(END);
    if (isNegative(number)) {
      invert(start);
    }
  }

  private static String smallDigits(Value number) {
    long coefficient =
        number.type() == Type.INT64 ? number.asLong() : Decimal.small(number.high(), number.low());
    return Long.toUnsignedString(Math.abs(coefficient));
  }

  private static boolean isNegative(Value number) {
    return number.type() == Type.INT64 ? number.asLong() < 0 : Decimal.isNegative(number.high());
  }

  private void appendInt16(int value) {
    reserve(2);
    BigEndian.uint16(buffer, length, value);
    length += 2;
  }

  private void string(byte[] source, int offset) {
    int count = LittleEndian.int32(source, offset) - 1;
    escaped(source, offset + 4, count);
    reserve(2);
    buffer[length++] = END;
    buffer[length++] = TEXT_END;
  }

  private void escaped(byte[] source, int offset, int count) {
    int from = offset;
    for (int i = offset; i < offset + count; i++) {
      if (source[i] == 0) {
        appendBytes(source, from, i + 1 - from);
        appendByte(ESCAPED_NUL);
        from = i + 1;
      }
    }
    appendBytes(source, from, offset + count - from);
  }

  /**
   * Appends a length that sorts first, then that many bytes after the length field of the source.
   */
  private void sized(byte[] source, int offset, int count) {
    appendInt(count);
    appendBytes(source, offset + 4, count);
  }

  private void array(byte[] source, int offset, Order tags) {
    Fields elements = new Fields(source, offset);
    while (elements.next()) {
      append(elements.type(), source, elements.valueOffset(), tags);
    }
    appendByte(END);
  }

  private void object(byte[] source, int offset, Order tags) {
    switch (tags) {
      case MONGO -> writtenFields(source, offset);
      case COSMOS -> sortedFields(source, offset);
    }
    appendByte(END);
  }

  private void writtenFields(byte[] source, int offset) {
    Fields fields = new Fields(source, offset);
    while (fields.next()) {
      appendByte(Brackets.low(fields.type(), Order.MONGO));
      appendBytes(source, fields.nameOffset(), fields.nameLength() + 1);
      payload(fields.type(), source, fields.valueOffset(), Order.MONGO);
    }
  }

  private void sortedFields(byte[] source, int offset) {
    SortedFields fields = new SortedFields(source, offset);
    for (int i = 0; i < fields.size(); i++) {
      SortedFields.Field field = fields.field(i);
      appendByte(FIELD);
      appendBytes(source, field.nameOffset(), field.nameLength() + 1);
      append(field.type(), source, field.valueOffset(), Order.COSMOS);
    }
  }

  private void invert(int start) {
    for (int i = start; i < length; i++) {
      buffer[i] = (byte) ~buffer[i];
    }
  }

  private void reserve(int more) {
    if (more > buffer.length - length) {
      buffer = Arrays.copyOf(buffer, Math.max(length + more, 2 * buffer.length));
    }
  }
}
