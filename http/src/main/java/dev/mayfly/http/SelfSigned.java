package dev.mayfly.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Self-signed certificate for localhost, 127.0.0.1 and ::1, valid for ten years.
 *
 * <p>The JDK has no API to create certificates, so this class encodes one.
 */
public final class SelfSigned {
  private static final char[] PASSWORD = "mayfly".toCharArray();
  private static final String ALIAS = "mayfly";
  private static final Duration BACKDATED = Duration.ofDays(1);
  private static final Duration VALID = Duration.ofDays(3650);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private static final byte[] ECDSA_WITH_SHA256 =
      Der.sequence(Der.objectId(1, 2, 840, 10045, 4, 3, 2));
  private static final byte[] COMMON_NAME = Der.objectId(2, 5, 4, 3);
  private static final byte[] ALTERNATIVE_NAMES = Der.objectId(2, 5, 29, 17);
  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;
  private static final int IPV6_BYTES = 16;

  private SelfSigned() {}

  /** Creates a certificate that is not stored. */
  public static SSLContext fresh(long now) {
    try {
      return context(make(now));
    } catch (GeneralSecurityException | IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Loads the certificate from a file; creates the file, readable by its owner alone, if it does
   * not exist.
   *
   * @throws UncheckedIOException if the file cannot be read or written
   */
  public static SSLContext in(Path file, long now) {
    try {
      if (Files.notExists(file)) {
        save(make(now), file);
      }
      return context(load(file));
    } catch (GeneralSecurityException invalid) {
      throw new IllegalArgumentException("cannot read a certificate from " + file, invalid);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read or write the certificate in " + file, failure);
    }
  }

  private static KeyStore load(Path file) throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream bytes = Files.newInputStream(file)) {
      keys.load(bytes, PASSWORD);
    }
    return keys;
  }

  private static void save(KeyStore keys, Path file) throws GeneralSecurityException, IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    try {
      if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        var owner = PosixFilePermissions.fromString("rw-------");
        Files.createFile(file, PosixFilePermissions.asFileAttribute(owner));
      }
      try (OutputStream out = Files.newOutputStream(file)) {
        keys.store(out, PASSWORD);
      }
    } catch (FileAlreadyExistsException exists) {
      throw new IOException("another process is creating the file; start again", exists);
    }
  }

  private static SSLContext context(KeyStore keys) throws GeneralSecurityException {
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), null, null);
    return context;
  }

  private static KeyStore make(long now) throws GeneralSecurityException, IOException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair pair = generator.generateKeyPair();
    byte[] body = body(pair, Instant.ofEpochMilli(now));
    Signature signer = Signature.getInstance("SHA256withECDSA");
    signer.initSign(pair.getPrivate());
    signer.update(body);
    byte[] whole = Der.sequence(body, ECDSA_WITH_SHA256, Der.bits(signer.sign()));
    Certificate certificate =
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(whole));
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, PASSWORD);
    keys.setKeyEntry(ALIAS, pair.getPrivate(), PASSWORD, new Certificate[] {certificate});
    return keys;
  }

  /** Encodes the signed part: version, serial number, issuer, validity, subject, key, SANs. */
  private static byte[] body(KeyPair pair, Instant now) {
    byte[] name = Der.sequence(Der.set(Der.sequence(COMMON_NAME, Der.text("localhost"))));
    return Der.sequence(
        Der.explicit(0, Der.integer(BigInteger.TWO)),
        Der.integer(new BigInteger(127, new SecureRandom()).add(BigInteger.ONE)),
        ECDSA_WITH_SHA256,
        name,
        Der.sequence(time(now.minus(BACKDATED)), time(now.plus(VALID))),
        name,
        pair.getPublic().getEncoded(),
        Der.explicit(3, Der.sequence(Der.sequence(ALTERNATIVE_NAMES, Der.octets(alternatives())))));
  }

  private static byte[] time(Instant at) {
    return Der.time(TIME.format(at));
  }

  private static byte[] alternatives() {
    byte[] loopback6 = new byte[IPV6_BYTES];
    loopback6[IPV6_BYTES - 1] = 1;
    return Der.sequence(
        Der.implicit(DNS_NAME, "localhost".getBytes(StandardCharsets.US_ASCII)),
        Der.implicit(IP_ADDRESS, new byte[] {127, 0, 0, 1}),
        Der.implicit(IP_ADDRESS, loopback6));
  }
}
