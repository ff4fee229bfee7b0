package dev.mayfly.mql.function;

import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/** Formats of binaries as strings. */
public enum BinaryStrings {
  BASE64,
  BASE64URL,
  UTF8,
  HEX,
  UUID,
  /** UUIDs as UUIDs, all else as base64. */
  AUTO;

  private static final byte UUID_SUBTYPE = 4;
  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  /** Parses a string to a binary of this subtype. */
  public Value read(String text, byte subtype) {
    try {
      return Value.binary(subtype, bytes(text, subtype));
    } catch (IllegalArgumentException _) {
      throw Conversions.failure(
          "Input '"
              + text
              + "' could not be read as "
              + name().toLowerCase(Locale.ROOT)
              + " in {} with no onError value");
    }
  }

  /** Formats a binary. */
  public String write(Value binary) {
    byte[] bytes = binary.asBinary();
    boolean uuid = binary.binarySubtype() == UUID_SUBTYPE && bytes.length == 16;
    return switch (this) {
      case BASE64 -> Base64.getEncoder().encodeToString(bytes);
      case BASE64URL -> Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
      case HEX -> HexFormat.of().withUpperCase().formatHex(bytes);
      case UTF8 -> decoded(bytes);
      case UUID -> {
        if (!uuid) {
          throw Conversions.failure("Invalid input for UUID in {} with no onError value");
        }
        yield dashed(bytes);
      }
      case AUTO -> uuid ? dashed(bytes) : Base64.getEncoder().encodeToString(bytes);
    };
  }

  private byte[] bytes(String text, byte subtype) {
    return switch (this) {
      case BASE64 -> Base64.getDecoder().decode(text);
      case BASE64URL -> Base64.getUrlDecoder().decode(text);
      case HEX -> HexFormat.of().parseHex(text);
      case UTF8 -> text.getBytes(StandardCharsets.UTF_8);
      case UUID -> uuid(text);
      case AUTO -> subtype == UUID_SUBTYPE ? uuid(text) : Base64.getDecoder().decode(text);
    };
  }

  private static byte[] uuid(String text) {
    if (!UUID_TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException("no UUID");
    }
    return HexFormat.of().parseHex(text.replace("-", ""));
  }

  private static String dashed(byte[] bytes) {
    ByteBuffer halves = ByteBuffer.wrap(bytes);
    return new java.util.UUID(halves.getLong(), halves.getLong()).toString();
  }

  private static String decoded(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException _) {
      throw Conversions.failure("Invalid UTF-8 in {} with no onError value");
    }
  }
}
