package dev.mayfly.value;

import dev.mayfly.value.ValueException.Reason;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Decoder of the keys of {@link KeyWriter}, component by component.
 *
 * <p>A key contains only what its order distinguishes: 1, 1.0 and 1.00 have the same key. {@link
 * #roundTrips} returns whether a value is decoded unchanged. Keys must be complete. Mutable, for
 * one thread.
 */
public final class KeyReader {
  private static final double LONG_LIMIT = 0x1p63;

  private final byte[] key;
  private int position;

  /** A reader before the component at the offset. */
  public KeyReader(byte[] key, int offset) {
    this.key = key;
    this.position = offset;
  }

  /** Returns whether reading the key of this value gives exactly its type and bytes. */
  public static boolean roundTrips(Value value) {
    return switch (value.type()) {
      case MISSING, UNDEFINED, NULL, MIN_KEY, MAX_KEY, BOOLEAN, STRING, BINARY, OBJECT_ID -> true;
      case DATE, TIMESTAMP, REGEX, DB_POINTER, CODE, INT32 -> true;
      case INT64 -> value.asLong() != (int) value.asLong();
      case DOUBLE -> roundTrips(value.asDouble());
      case DECIMAL128, SYMBOL, OBJECT, ARRAY, CODE_WITH_SCOPE -> false;
    };
  }

  /** The offset of the next component. */
  public int position() {
    return position;
  }

  /** Returns whether nothing is left. */
  public boolean atEnd() {
    return position >= key.length;
  }

  /** Skips the next component and returns its length in bytes. */
  public int skip() {
    int start = position;
    int tag = key[position++] & 0xFF;
    skipPayload(type(tag), Brackets.order(tag));
    return position - start;
  }

  /** The next component as a value. */
  public Value read() {
    int tag = key[position++] & 0xFF;
    return payload(type(tag), Brackets.order(tag));
  }

  /** Skips a component that was written descending and returns its length in bytes. */
  public int skipDescending() {
    int count = inverted().skip();
    position += count;
    return count;
  }

  /** The next component, which was written descending, as a value. */
  public Value readDescending() {
    KeyReader inverted = inverted();
    Value value = inverted.read();
    position += inverted.position;
    return value;
  }

  /** Decodes {@link KeyWriter#appendLong}. */
  public long readLong() {
    position += 8;
    return BigEndian.int64(key, position - 8) ^ Long.MIN_VALUE;
  }

  /** Decodes {@link KeyWriter#appendInt}. */
  public int readInt() {
    position += 4;
    return BigEndian.int32(key, position - 4);
  }

  private KeyReader inverted() {
    byte[] rest = new byte[key.length - position];
    for (int i = 0; i < rest.length; i++) {
      rest[i] = (byte) ~key[position + i];
    }
    return new KeyReader(rest, 0);
  }

  private static boolean roundTrips(double number) {
    return !isLong(number) && !Double.isNaN(number);
  }

  private static boolean isLong(double number) {
    return number == Math.rint(number) && number >= -LONG_LIMIT && number < LONG_LIMIT;
  }

  private static Type type(int tag) {
    Type type = Brackets.type(tag);
    if (type == Type.MISSING && tag != (Brackets.low(type, Brackets.order(tag)) & 0xFF)) {
      throw new ValueException(Reason.MALFORMED, "unknown key tag " + tag);
    }
    return type;
  }

  private Value payload(Type type, Order tags) {
    return switch (type) {
      case MISSING, UNDEFINED, NULL, MIN_KEY, MAX_KEY -> Value.view(type, key, position);
      case INT32, INT64, DOUBLE, DECIMAL128 -> number();
      case STRING, SYMBOL -> Value.of(text());
      case CODE -> Value.code(text());
      case OBJECT -> Value.of(object(tags));
      case ARRAY -> Value.array(array());
      case BINARY, DB_POINTER -> sized(type);
      case OBJECT_ID, BOOLEAN, REGEX -> verbatim(type);
      case DATE -> Value.date(readLong());
      case TIMESTAMP -> Value.timestamp(readLong() ^ Long.MIN_VALUE);
      case CODE_WITH_SCOPE -> Value.codeWithScope(text(), object(tags));
    };
  }

  /** A type whose key payload is its BSON bytes. */
  private Value verbatim(Type type) {
    Value value = Value.view(type, key, position);
    position += value.length();
    return value;
  }

  private Value sized(Type type) {
    int count = readInt();
    byte[] bytes = new byte[4 + count];
    LittleEndian.int32(bytes, 0, type == Type.BINARY ? count - 1 : count - 12);
    System.arraycopy(key, position, bytes, 4, count);
    position += count;
    return Value.view(type, bytes, 0);
  }

  private Value number() {
    long sortable = readLong() ^ Long.MIN_VALUE;
    if (key[position++] == KeyWriter.EXACT) {
      return exact(sortable);
    }
    boolean negative = sortable >= 0;
    BigDecimal number = digits(negative ? 0xFF : 0);
    BigDecimal signed = negative ? number.negate() : number;
    return signed.scale() <= 0 && signed.toBigInteger().bitLength() <= 63
        ? Value.of(signed.longValue())
        : Value.decimal(signed);
  }

  private static Value exact(long sortable) {
    if (sortable == 0) {
      return Value.of(Double.NaN);
    }
    double number = Double.longBitsToDouble(sortable ^ (~sortable >> 63 | Long.MIN_VALUE));
    if (!isLong(number)) {
      return Value.of(number);
    }
    return number == (int) number ? Value.of((int) number) : Value.of((long) number);
  }

  private BigDecimal digits(int mask) {
    int exponent = (BigEndian.uint16(key, position) ^ (mask << 8 | mask)) - KeyWriter.EXPONENT_BIAS;
    position += 2;
    BigInteger coefficient = BigInteger.ZERO;
    int digits = 0;
    for (int pair = next(mask); pair != KeyWriter.END; pair = next(mask)) {
      coefficient = coefficient.multiply(BigInteger.valueOf(100)).add(BigInteger.valueOf(pair - 1));
      digits += 2;
    }
    return new BigDecimal(coefficient, digits - exponent).stripTrailingZeros();
  }

  private int next(int mask) {
    return (key[position++] & 0xFF) ^ mask;
  }

  private String text() {
    int start = position;
    skipText();
    int end = position - 2;
    byte[] plain = new byte[end - start];
    int count = 0;
    for (int i = start; i < end; i++) {
      plain[count++] = key[i];
      if (key[i] == 0) {
        i++;
      }
    }
    return Utf8.string(plain, 0, count);
  }

  private void skipText() {
    while (true) {
      position = Utf8.end(key, position) + 2;
      if (key[position - 1] == KeyWriter.TEXT_END) {
        return;
      }
    }
  }

  private String name() {
    int start = position;
    skipName();
    return Utf8.string(key, start, position - 1 - start);
  }

  private void skipName() {
    position = Utf8.end(key, position) + 1;
  }

  private Document array() {
    DocumentWriter writer = Document.writer();
    while (key[position] != KeyWriter.END) {
      writer.add(read());
    }
    position++;
    return writer.build();
  }

  private Document object(Order tags) {
    DocumentWriter writer = Document.writer();
    while (key[position] != KeyWriter.END) {
      int first = key[position++] & 0xFF;
      String name = name();
      writer.put(name, tags == Order.MONGO ? payload(type(first), tags) : read());
    }
    position++;
    return writer.build();
  }

  private void skipPayload(Type type, Order tags) {
    switch (type) {
      case MISSING, UNDEFINED, NULL, MIN_KEY, MAX_KEY -> {}
      case INT32, INT64, DOUBLE, DECIMAL128 -> skipNumber();
      case STRING, SYMBOL, CODE -> skipText();
      case OBJECT -> skipObject(tags);
      case ARRAY -> skipArray();
      case BINARY, DB_POINTER -> skipSized();
      case OBJECT_ID, BOOLEAN, REGEX -> position += type.length(key, position);
      case DATE, TIMESTAMP -> position += 8;
      case CODE_WITH_SCOPE -> {
        skipText();
        skipObject(tags);
      }
    }
  }

  private void skipSized() {
    int count = readInt();
    position += count;
  }

  private void skipNumber() {
    int mask = key[position] >= 0 ? 0xFF : 0;
    position += 9;
    if (key[position - 1] == KeyWriter.EXACT) {
      return;
    }
    position += 2;
    while (next(mask) != KeyWriter.END) {}
  }

  private void skipArray() {
    while (key[position] != KeyWriter.END) {
      skip();
    }
    position++;
  }

  private void skipObject(Order tags) {
    while (key[position] != KeyWriter.END) {
      int first = key[position++] & 0xFF;
      skipName();
      if (tags == Order.MONGO) {
        skipPayload(type(first), tags);
      } else {
        skip();
      }
    }
    position++;
  }
}
