package dev.mayfly.mongo.auth;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.security.MessageDigest;
import java.util.Base64;

/**
 * SCRAM credential of a user: verifies a client's proof, but does not reveal the password.
 * Immutable.
 */
final class Credential {
  private final int iterations;
  private final byte[] salt;
  private final byte[] storedKey;
  private final byte[] serverKey;

  private Credential(int iterations, byte[] salt, byte[] storedKey, byte[] serverKey) {
    this.iterations = iterations;
    this.salt = salt;
    this.storedKey = storedKey;
    this.serverKey = serverKey;
  }

  /** Derives the credential of a {@linkplain Mechanism#prepared prepared} password. */
  static Credential of(Mechanism mechanism, String prepared, byte[] salt) {
    byte[] salted = mechanism.salted(prepared, salt, mechanism.iterations());
    return new Credential(
        mechanism.iterations(),
        salt,
        mechanism.hash(mechanism.sign(salted, "Client Key")),
        mechanism.sign(salted, "Server Key"));
  }

  /** Whether a {@linkplain Mechanism#prepared prepared} password is the one of this credential. */
  boolean matches(Mechanism mechanism, String prepared) {
    byte[] salted = mechanism.salted(prepared, salt, iterations);
    byte[] key = mechanism.hash(mechanism.sign(salted, "Client Key"));
    return MessageDigest.isEqual(key, storedKey);
  }

  /** A credential that no known password matches. */
  static Credential unknown(Mechanism mechanism, byte[] salt, byte[] key) {
    return new Credential(mechanism.iterations(), salt, key, key);
  }

  static Credential of(Document stored) {
    Base64.Decoder decoder = Base64.getDecoder();
    return new Credential(
        stored.field("iterationCount").asInt(),
        decoder.decode(stored.field("salt").asString()),
        decoder.decode(stored.field("storedKey").asString()),
        decoder.decode(stored.field("serverKey").asString()));
  }

  int iterations() {
    return iterations;
  }

  String salt() {
    return Base64.getEncoder().encodeToString(salt);
  }

  byte[] storedKey() {
    return storedKey.clone();
  }

  byte[] serverKey() {
    return serverKey.clone();
  }

  void write(DocumentWriter writer) {
    Base64.Encoder encoder = Base64.getEncoder();
    writer
        .put("iterationCount", iterations)
        .put("salt", salt())
        .put("storedKey", encoder.encodeToString(storedKey))
        .put("serverKey", encoder.encodeToString(serverKey));
  }
}
