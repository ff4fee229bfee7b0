package dev.mayfly.cosmos.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Master key of the account, which clients sign requests with. Safe for many threads. */
public final class MasterKey {
  /** The well-known key of the emulator, which samples and tests use. */
  public static final String WELL_KNOWN =
      "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

  /** Minimum length of a key if other machines can connect. */
  public static final int MIN_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec secret;

  /** Pool: creating a Mac costs more than a signature. */
  private final Queue<Mac> idle = new ConcurrentLinkedQueue<>();

  /**
   * Parses a key.
   *
   * @throws IllegalArgumentException if the text is not base64
   */
  public MasterKey(String base64) {
    byte[] bytes = Base64.getDecoder().decode(base64);
    if (bytes.length == 0) {
      throw new IllegalArgumentException("the master key is empty");
    }
    this.secret = new SecretKeySpec(bytes, ALGORITHM);
  }

  /** Returns the length in bytes. */
  public int bytes() {
    return secret.getEncoded().length;
  }

  /** Returns the signature of a text. */
  byte[] sign(String text) {
    Mac pooled = idle.poll();
    Mac mac = pooled == null ? fresh() : pooled;
    byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    idle.add(mac);
    return signature;
  }

  /** Whether a signature is valid for a text, compared in constant time. */
  boolean signed(String text, byte[] signature) {
    return MessageDigest.isEqual(sign(text), signature);
  }

  private Mac fresh() {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      return mac;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
