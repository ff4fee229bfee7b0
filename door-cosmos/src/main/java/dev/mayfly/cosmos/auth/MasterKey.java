package dev.mayfly.cosmos.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret that clients sign requests with. Safe for many threads. */
public final class MasterKey {
  /** The key of the emulator, which every sample and test uses and everybody knows. */
  public static final String WELL_KNOWN =
      "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

  /** What a key must have at least where other machines can try to guess it. */
  public static final int LEAST_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec secret;

  /** Those that are not in use: making one costs more than a signature. */
  private final Queue<Mac> idle = new ConcurrentLinkedQueue<>();

  /**
   * The key of that text.
   *
   * @throws IllegalArgumentException when the text is not base64
   */
  public MasterKey(String base64) {
    byte[] bytes = Base64.getDecoder().decode(base64);
    if (bytes.length == 0) {
      throw new IllegalArgumentException("the key of the account is empty");
    }
    this.secret = new SecretKeySpec(bytes, ALGORITHM);
  }

  /** How many bytes it has. */
  public int bytes() {
    return secret.getEncoded().length;
  }

  /** The signature of a text. */
  byte[] sign(String text) {
    Mac known = idle.poll();
    Mac mac = known == null ? fresh() : known;
    byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    idle.add(mac);
    return signature;
  }

  /** Whether a signature is that of a text; takes as long whatever the answer. */
  boolean signed(String text, byte[] signature) {
    return MessageDigest.isEqual(sign(text), signature);
  }

  private Mac fresh() {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      return mac;
    } catch (GeneralSecurityException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
