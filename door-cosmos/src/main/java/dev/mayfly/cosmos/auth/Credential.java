package dev.mayfly.cosmos.auth;

import java.util.Base64;
import java.util.Optional;

/**
 * Authorization header: {@code type=master&ver=1.0&sig=...}, percent-encoded as a whole or not.
 *
 * @param type {@code master}, {@code resource} or {@code aad}
 * @param signature text after {@code sig=}
 */
record Credential(String type, String signature) {
  private static final String TYPE = "type=";
  private static final String SIGNATURE = "sig=";
  private static final int HEX = 16;

  /** Parses a header; empty if it is malformed. */
  static Optional<Credential> parse(String header) {
    String text = header.indexOf('%') < 0 ? header : decoded(header);
    int type = text.indexOf(TYPE);
    int typeEnd = text.indexOf('&', Math.max(type, 0));
    int signature = text.indexOf(SIGNATURE);
    if (type != 0 || typeEnd < 0 || signature < typeEnd) {
      return Optional.empty();
    }
    return Optional.of(
        new Credential(
            text.substring(TYPE.length(), typeEnd),
            text.substring(signature + SIGNATURE.length())));
  }

  /** Decodes percent escapes; a plus sign is literal. */
  private static String decoded(String header) {
    StringBuilder text = new StringBuilder(header.length());
    for (int i = 0; i < header.length(); i++) {
      char c = header.charAt(i);
      if (c == '%' && i + 2 < header.length()) {
        int high = Character.digit(header.charAt(i + 1), HEX);
        int low = Character.digit(header.charAt(i + 2), HEX);
        if (high < 0 || low < 0) {
          return "";
        }
        text.append((char) (high * HEX + low));
        i += 2;
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  /** Returns the signature as bytes; no bytes if it is not base64. */
  byte[] bytes() {
    try {
      return Base64.getDecoder().decode(signature);
    } catch (IllegalArgumentException notBase64) {
      return new byte[0];
    }
  }
}
