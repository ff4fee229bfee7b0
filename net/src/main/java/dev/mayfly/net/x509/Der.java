package dev.mayfly.net.x509;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** Encoder for DER, the binary form of certificates: tag, length, content. */
public final class Der {
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int BOOLEAN = 0x01;
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OCTET_STRING = 0x04;
  private static final int OBJECT_ID = 0x06;
  private static final int UTF8 = 0x0C;
  private static final int UTC_TIME = 0x17;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int CONTEXT = 0x80;
  private static final int CONSTRUCTED = 0x20;
  private static final int LONG_FORM = 0x80;
  private static final int OID_FIRST_FACTOR = 40;

  private Der() {}

  public static byte[] sequence(byte[]... parts) {
    return tagged(SEQUENCE, parts);
  }

  public static byte[] set(byte[]... parts) {
    return tagged(SET, parts);
  }

  public static byte[] integer(BigInteger number) {
    return tagged(INTEGER, number.toByteArray());
  }

  /** Encodes true: false is the default of all flags in certificates, and is not encoded. */
  public static byte[] yes() {
    return tagged(BOOLEAN, new byte[] {(byte) 0xFF});
  }

  public static byte[] bits(byte[] bytes) {
    return tagged(BIT_STRING, new byte[] {0}, bytes);
  }

  /** Encodes a list of flags: the first flag is the highest bit of the byte. */
  public static byte[] flags(int bits) {
    return tagged(BIT_STRING, new byte[] {(byte) Integer.numberOfTrailingZeros(bits), (byte) bits});
  }

  public static byte[] octets(byte[] bytes) {
    return tagged(OCTET_STRING, bytes);
  }

  public static byte[] text(String text) {
    return tagged(UTF8, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Encodes a time as X.509 requires: a year of two digits up to 2049, of four digits after. */
  public static byte[] time(String digits) {
    boolean early = digits.compareTo("2050") < 0;
    String text = early ? digits.substring(2) : digits;
    return tagged(early ? UTC_TIME : GENERALIZED_TIME, text.getBytes(StandardCharsets.US_ASCII));
  }

  public static byte[] objectId(int... numbers) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.write(OID_FIRST_FACTOR * numbers[0] + numbers[1]);
    for (int i = 2; i < numbers.length; i++) {
      base128(content, numbers[i]);
    }
    return tagged(OBJECT_ID, content.toByteArray());
  }

  private static void base128(ByteArrayOutputStream out, int number) {
    int shift = 28;
    while (shift > 0 && number >>> shift == 0) {
      shift -= 7;
    }
    for (; shift > 0; shift -= 7) {
      out.write(LONG_FORM | (number >>> shift & 0x7F));
    }
    out.write(number & 0x7F);
  }

  /** Encodes a context-specific primitive element. */
  public static byte[] implicit(int number, byte[] content) {
    return tagged(CONTEXT | number, content);
  }

  /** Encodes a context-specific element that contains another. */
  public static byte[] explicit(int number, byte[] content) {
    return tagged(CONTEXT | CONSTRUCTED | number, content);
  }

  private static byte[] tagged(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    length(out, content.size());
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }

  private static void length(ByteArrayOutputStream out, int length) {
    if (length < LONG_FORM) {
      out.write(length);
      return;
    }
    byte[] bytes = BigInteger.valueOf(length).toByteArray();
    int from = bytes[0] == 0 ? 1 : 0;
    out.write(LONG_FORM | bytes.length - from);
    out.write(bytes, from, bytes.length - from);
  }
}
