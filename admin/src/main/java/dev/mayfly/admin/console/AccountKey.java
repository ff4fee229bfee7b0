package dev.mayfly.admin.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.cosmos.auth.MasterKey;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Key of the Cosmos door and of the admin API. */
final class AccountKey {
  private static final int FINGERPRINT_BYTES = 8;

  private final String text;

  /**
   * @param text in base64; empty if the server has no key
   */
  AccountKey(String text) {
    this.text = text;
  }

  /** The key in base64. Secret, unless it is well known. */
  String text() {
    return text;
  }

  /** Whether it is the key of the emulator, which is public. */
  boolean isWellKnown() {
    return text.equals(MasterKey.WELL_KNOWN);
  }

  /** Whether a text is this key, compared in constant time. */
  boolean matches(String guess) {
    return !text.isEmpty()
        && MessageDigest.isEqual(text.getBytes(UTF_8), guess.strip().getBytes(UTF_8));
  }

  /** The beginning of its hash: distinguishes keys without showing them. */
  String fingerprint() {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.ofDelimiter(":").formatHex(hash, 0, FINGERPRINT_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
