package dev.mayfly.cosmos.item;

import dev.mayfly.value.Value;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Effective partition key: the position of a partition key between {@code ""} and {@code "FF"}, in
 * hexadecimal digits. Clients compute it too and send ranges of it, so every bit must match theirs.
 *
 * <p>There are three hashes. Version 1: a 32-bit hash of the values, with strings truncated to 100
 * characters, followed by the values in a sortable encoding. Version 2: a 128-bit hash of all
 * values together. Hierarchical keys: the version 2 hash of each value, concatenated, so that a
 * prefix of the key is a prefix of the digits.
 */
final class EffectiveKey {
  /** Upper bound, exclusive. */
  static final String END = "FF";

  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final int MAX_STRING = 100;
  private static final byte UNDEFINED = 0;
  private static final byte NULL = 1;
  private static final byte FALSE = 2;
  private static final byte TRUE = 3;
  private static final byte NUMBER = 5;
  private static final byte STRING = 8;
  private static final int V1_STRING_END = 0x00;
  private static final int V2_STRING_END = 0xFF;
  private static final int TOP_TWO_BITS_CLEARED = 0x3F;

  private EffectiveKey() {}

  static String version1(List<Value> values) {
    ByteArrayOutputStream hashed = new ByteArrayOutputStream();
    ByteArrayOutputStream sorted = new ByteArrayOutputStream();
    for (Value value : values) {
      hash(value, MAX_STRING, V1_STRING_END, hashed);
    }
    double hash = Integer.toUnsignedLong(Murmur3.hash32(hashed.toByteArray()));
    sortNumber(hash, sorted);
    for (Value value : values) {
      sort(value, sorted);
    }
    return HEX.formatHex(sorted.toByteArray());
  }

  static String version2(List<Value> values) {
    ByteArrayOutputStream hashed = new ByteArrayOutputStream();
    for (Value value : values) {
      hash(value, Integer.MAX_VALUE, V2_STRING_END, hashed);
    }
    long[] halves = Murmur3.hash128(hashed.toByteArray());
    byte[] bytes = ByteBuffer.allocate(16).putLong(halves[1]).putLong(halves[0]).array();
    bytes[0] &= TOP_TWO_BITS_CLEARED;
    return HEX.formatHex(bytes);
  }

  static String hierarchical(List<Value> values) {
    StringBuilder digits = new StringBuilder();
    for (Value value : values) {
      digits.append(version2(List.of(value)));
    }
    return digits.toString();
  }

  /** Writes the hash input of a value: its type and its content. */
  private static void hash(Value value, int cut, int stringEnd, ByteArrayOutputStream to) {
    to.write(kind(value));
    if (value.isNumber()) {
      long bits = Double.doubleToRawLongBits(value.asDouble());
      to.writeBytes(ByteBuffer.allocate(8).putLong(Long.reverseBytes(bits)).array());
    } else if (kind(value) == STRING) {
      to.writeBytes(cutAt(value.asString(), cut).getBytes(StandardCharsets.UTF_8));
      to.write(stringEnd);
    }
  }

  private static byte kind(Value value) {
    return switch (value.type()) {
      case NULL -> NULL;
      case BOOLEAN -> value.asBoolean() ? TRUE : FALSE;
      case INT32, INT64, DOUBLE, DECIMAL128 -> NUMBER;
      case STRING -> STRING;
      default -> UNDEFINED;
    };
  }

  private static String cutAt(String text, int max) {
    return text.length() <= max ? text : text.substring(0, max);
  }

  private static void sort(Value value, ByteArrayOutputStream to) {
    switch (kind(value)) {
      case NUMBER -> sortNumber(value.asDouble(), to);
      case STRING -> sortString(value.asString(), to);
      default -> to.write(kind(value));
    }
  }

  /**
   * Writes a number in sortable bytes: eight bits, then groups of seven bits, each followed by a
   * one, the last by a zero.
   */
  private static void sortNumber(double number, ByteArrayOutputStream to) {
    long bits = Double.doubleToRawLongBits(number);
    long remaining = bits >= 0 ? bits ^ Long.MIN_VALUE : -bits;
    to.write(NUMBER);
    to.write((int) (remaining >>> 56));
    remaining <<= 8;
    do {
      int seven = (int) (remaining >>> 57) << 1;
      remaining <<= 7;
      to.write(remaining == 0 ? seven : seven | 1);
    } while (remaining != 0);
  }

  /** Writes each byte plus one, then a terminating zero; without a terminator if it was cut. */
  private static void sortString(String text, ByteArrayOutputStream to) {
    to.write(STRING);
    byte[] utf8 = cutAt(text, MAX_STRING).getBytes(StandardCharsets.UTF_8);
    boolean whole = utf8.length <= MAX_STRING;
    for (byte b : whole ? utf8 : Arrays.copyOf(utf8, MAX_STRING + 1)) {
      to.write(b == -1 ? b : b + 1);
    }
    if (whole) {
      to.write(V1_STRING_END);
    }
  }
}
