package dev.mayfly.mql.function;

import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Keys of MongoDB's hashed indexes.
 *
 * <p>A key is the first eight bytes of the MD5 of a seed, the canonical position of the value's
 * type, and its bytes; for objects and arrays, of their members with their names, and a terminator.
 * Numbers are truncated to integers, so that equal numbers of all types share a key.
 */
public final class HashedKeys {
  private static final int SEED = 0;
  private static final int END = 0;

  private HashedKeys() {}

  /** Returns the key of a value; missing has the key of null. */
  public static Value of(Value value) {
    MessageDigest digest = md5();
    digest.update(littleEndian(SEED));
    add(digest, value.isMissing() ? Value.NULL : value);
    return Value.of(ByteBuffer.wrap(digest.digest()).order(ByteOrder.LITTLE_ENDIAN).getLong());
  }

  private static void add(MessageDigest digest, Value value) {
    digest.update(littleEndian(place(value.type())));
    addContent(digest, value);
  }

  private static void addContent(MessageDigest digest, Value value) {
    switch (value.type()) {
      case INT32, INT64, DOUBLE, DECIMAL128 -> digest.update(littleEndian(whole(value)));
      case OBJECT, ARRAY -> addMembers(digest, value);
      default -> digest.update(value.buffer(), value.offset(), value.length());
    }
  }

  private static void addMembers(MessageDigest digest, Value container) {
    Fields members = container.asDocument().fields();
    while (members.next()) {
      digest.update(littleEndian(place(members.type())));
      digest.update(members.name().getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
      addContent(digest, members.value());
    }
    digest.update(littleEndian(END));
  }

  private static long whole(Value number) {
    if (number.isNaN()) {
      return 0;
    }
    double nearest = number.asDouble();
    // The first double beyond the longs wraps around: keys of existing indexes depend on it.
    if (number.type() == Type.DOUBLE && nearest == 0x1p63) {
      return Long.MIN_VALUE;
    }
    if (nearest >= 0x1p63) {
      return Long.MAX_VALUE;
    }
    return nearest < -0x1p63 ? Long.MIN_VALUE : exact(number);
  }

  private static long exact(Value number) {
    return switch (number.type()) {
      case DOUBLE -> (long) number.asDouble();
      case DECIMAL128 -> number.asDecimal().longValue();
      default -> number.asLong();
    };
  }

  private static int place(Type type) {
    return switch (type) {
      case MIN_KEY -> -1;
      case MISSING, UNDEFINED -> 0;
      case NULL -> 5;
      case INT32, INT64, DOUBLE, DECIMAL128 -> 10;
      case STRING, SYMBOL -> 15;
      case OBJECT -> 20;
      case ARRAY -> 25;
      case BINARY -> 30;
      case OBJECT_ID -> 35;
      case BOOLEAN -> 40;
      case DATE -> 45;
      case TIMESTAMP -> 47;
      case REGEX -> 50;
      case DB_POINTER -> 55;
      case CODE -> 60;
      case CODE_WITH_SCOPE -> 65;
      case MAX_KEY -> 127;
    };
  }

  private static byte[] littleEndian(int number) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
  }

  private static byte[] littleEndian(long number) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException("every Java platform has MD5", absent);
    }
  }
}
