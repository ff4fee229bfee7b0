package dev.mayfly.mongo.auth;

import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** SCRAM mechanism with its hash functions. */
enum Mechanism {
  SCRAM_SHA_1("SCRAM-SHA-1", "SHA-1", "SHA1", 20, 10_000),
  SCRAM_SHA_256("SCRAM-SHA-256", "SHA-256", "SHA256", 32, 15_000);

  private final String label;
  private final String digest;
  private final String mac;
  private final int bytes;
  private final int iterations;

  Mechanism(String label, String digest, String mac, int bytes, int iterations) {
    this.label = label;
    this.digest = digest;
    this.mac = "Hmac" + mac;
    this.bytes = bytes;
    this.iterations = iterations;
  }

  /** The name in the protocol. */
  String label() {
    return label;
  }

  static Optional<Mechanism> labelled(String label) {
    return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst();
  }

  /** The names of all mechanisms. */
  static Value all() {
    return Value.array(Arrays.stream(values()).map(one -> Value.of(one.label)).toList());
  }

  /** The iteration count for new passwords. */
  int iterations() {
    return iterations;
  }

  /** The length of a salt: together with the 4-byte counter of PBKDF2 it is as long as a hash. */
  int saltBytes() {
    return bytes - 4;
  }

  /** The password in the form that this mechanism hashes. */
  String prepared(String user, String password) {
    return this == SCRAM_SHA_256 ? SaslPrep.prepare(password) : digested(user, password);
  }

  private static String digested(String user, String password) {
    byte[] text = (user + ":mongo:" + password).getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(digest("MD5", text));
  }

  byte[] salted(String prepared, byte[] salt, int times) {
    try {
      PBEKeySpec spec = new PBEKeySpec(prepared.toCharArray(), salt, times, bytes * Byte.SIZE);
      return SecretKeyFactory.getInstance("PBKDF2With" + mac).generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("PBKDF2With" + mac + " is not available", missing);
    }
  }

  byte[] hash(byte[] text) {
    return digest(digest, text);
  }

  private static byte[] digest(String algorithm, byte[] text) {
    try {
      return MessageDigest.getInstance(algorithm).digest(text);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException(algorithm + " is not available", missing);
    }
  }

  byte[] sign(byte[] key, String text) {
    try {
      Mac signer = Mac.getInstance(mac);
      signer.init(new SecretKeySpec(key, mac));
      return signer.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException(mac + " is not available", missing);
    }
  }
}
