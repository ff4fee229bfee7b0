package dev.mayfly.http.tls;

import dev.mayfly.net.x509.CertificateSigner;
import dev.mayfly.net.x509.Der;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Certificate authority of a server: a key and a certificate that clients trust once, and that
 * signs the certificates of servers. It lasts ten years, a certificate of a server 90 days.
 *
 * <p>Keys are on the curve secp256r1. Immutable.
 */
public final class CertificateAuthority {
  /** How long a certificate of a server is valid. */
  static final Duration LEAF_LIFETIME = Duration.ofDays(90);

  private static final Duration LIFETIME = Duration.ofDays(3650);
  private static final Duration BACKDATED = Duration.ofDays(1);

  /** An authority with less time left is replaced: it could not outlive what it signs. */
  private static final Duration REPLACED_BEFORE = Duration.ofDays(180);

  private static final char[] PASSWORD = "mayfly".toCharArray();
  private static final String ALIAS = "mayfly";
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|.*:.*");

  private static final byte[] SUBJECT_KEY = Der.objectId(2, 5, 29, 14);
  private static final byte[] KEY_USAGE = Der.objectId(2, 5, 29, 15);
  private static final byte[] ALTERNATIVE_NAMES = Der.objectId(2, 5, 29, 17);
  private static final byte[] BASIC_CONSTRAINTS = Der.objectId(2, 5, 29, 19);
  private static final byte[] AUTHORITY_KEY = Der.objectId(2, 5, 29, 35);
  private static final byte[] EXTENDED_KEY_USAGE = Der.objectId(2, 5, 29, 37);
  private static final byte[] SERVER_AUTHENTICATION = Der.objectId(1, 3, 6, 1, 5, 5, 7, 3, 1);
  private static final int SIGNS_CERTIFICATES = 0b0000_0110;
  private static final int SIGNS_DATA = 0b1000_0000;
  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private final PrivateKey key;
  private final X509Certificate certificate;

  private CertificateAuthority(PrivateKey key, X509Certificate certificate) {
    this.key = key;
    this.certificate = certificate;
  }

  /** Creates an authority that is not stored. */
  public static CertificateAuthority create(long now) {
    try {
      KeyPair pair = CertificateSigner.newKeys();
      String name = "Mayfly CA " + Long.toHexString(new SecureRandom().nextInt() & 0xFFFFFFFFL);
      byte[] encodedName = CertificateSigner.name(name);
      List<byte[]> extensions =
          List.of(
              critical(BASIC_CONSTRAINTS, Der.sequence(Der.yes(), Der.integer(BigInteger.ZERO))),
              critical(KEY_USAGE, Der.flags(SIGNS_CERTIFICATES)),
              extension(SUBJECT_KEY, Der.octets(keyId(pair.getPublic().getEncoded()))));
      Instant start = Instant.ofEpochMilli(now);
      X509Certificate certificate =
          CertificateSigner.sign(
              pair.getPrivate(),
              encodedName,
              encodedName,
              start.minus(BACKDATED),
              start.plus(LIFETIME),
              pair.getPublic().getEncoded(),
              extensions);
      return new CertificateAuthority(pair.getPrivate(), certificate);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Loads the authority from a file. Creates the file, readable by its owner alone, if it does not
   * exist, and replaces an authority that ends within half a year.
   *
   * @throws UncheckedIOException if the file cannot be read or written
   * @throws IllegalArgumentException if it does not contain an authority
   */
  public static CertificateAuthority in(Path file, long now) {
    try {
      if (Files.notExists(file)) {
        save(create(now), file);
      }
      CertificateAuthority found = load(file);
      if (found.endsBefore(now + REPLACED_BEFORE.toMillis())) {
        found = create(now);
        replace(found, file);
      }
      return found;
    } catch (GeneralSecurityException invalid) {
      throw new IllegalArgumentException(
          "cannot read a certificate authority from " + file, invalid);
    } catch (IOException failure) {
      throw new UncheckedIOException(
          "cannot read or write the certificate authority in " + file, failure);
    }
  }

  private static CertificateAuthority load(Path file) throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream bytes = Files.newInputStream(file)) {
      keys.load(bytes, PASSWORD);
    }
    if (keys.getKey(ALIAS, PASSWORD) instanceof PrivateKey key
        && keys.getCertificate(ALIAS) instanceof X509Certificate certificate) {
      return new CertificateAuthority(key, certificate);
    }
    throw new GeneralSecurityException("no key with a certificate");
  }

  private static void save(CertificateAuthority authority, Path file)
      throws GeneralSecurityException, IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    try {
      if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        var owner = PosixFilePermissions.fromString("rw-------");
        Files.createFile(file, PosixFilePermissions.asFileAttribute(owner));
      }
      try (OutputStream out = Files.newOutputStream(file)) {
        authority.keyStore().store(out, PASSWORD);
      }
    } catch (FileAlreadyExistsException exists) {
      throw new IOException("another process is creating the file; start again", exists);
    }
  }

  private static void replace(CertificateAuthority authority, Path file)
      throws GeneralSecurityException, IOException {
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(next);
    save(authority, next);
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private KeyStore keyStore() throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, PASSWORD);
    keys.setKeyEntry(ALIAS, key, PASSWORD, new Certificate[] {certificate});
    return keys;
  }

  private boolean endsBefore(long instant) {
    return certificate.getNotAfter().toInstant().toEpochMilli() < instant;
  }

  /** The certificate that clients trust, as PEM. */
  public String pem() {
    return KeyAndChain.pem(certificate);
  }

  /**
   * Issues a certificate for a server.
   *
   * @param names host names and addresses; at least one
   * @throws IllegalArgumentException if a name is neither
   */
  KeyAndChain issue(Collection<String> names, long now) {
    try {
      KeyPair pair = CertificateSigner.newKeys();
      Instant start = Instant.ofEpochMilli(now);
      byte[] authorityKey =
          Der.sequence(Der.implicit(0, keyId(certificate.getPublicKey().getEncoded())));
      List<byte[]> extensions =
          List.of(
              critical(KEY_USAGE, Der.flags(SIGNS_DATA)),
              extension(EXTENDED_KEY_USAGE, Der.sequence(SERVER_AUTHENTICATION)),
              extension(SUBJECT_KEY, Der.octets(keyId(pair.getPublic().getEncoded()))),
              extension(AUTHORITY_KEY, authorityKey),
              extension(ALTERNATIVE_NAMES, alternatives(names)));
      X509Certificate leaf =
          CertificateSigner.sign(
              key,
              certificate.getSubjectX500Principal().getEncoded(),
              CertificateSigner.name(names.iterator().next()),
              start.minus(BACKDATED),
              start.plus(LEAF_LIFETIME),
              pair.getPublic().getEncoded(),
              extensions);
      return new KeyAndChain(pair.getPrivate(), List.of(leaf, certificate));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static byte[] extension(byte[] id, byte[] value) {
    return Der.sequence(id, Der.octets(value));
  }

  private static byte[] critical(byte[] id, byte[] value) {
    return Der.sequence(id, Der.yes(), Der.octets(value));
  }

  /** Identifies a key in certificates: any hash of it serves. */
  private static byte[] keyId(byte[] publicKey) throws GeneralSecurityException {
    return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(publicKey), 20);
  }

  private static byte[] alternatives(Collection<String> names) {
    List<byte[]> encoded = new ArrayList<>();
    for (String name : names) {
      encoded.add(
          ADDRESS.matcher(name).matches()
              ? Der.implicit(IP_ADDRESS, address(name))
              : Der.implicit(DNS_NAME, name.getBytes(StandardCharsets.US_ASCII)));
    }
    return Der.sequence(encoded.toArray(byte[][]::new));
  }

  private static byte[] address(String text) {
    try {
      // a literal address is parsed, not looked up
      return InetAddress.ofLiteral(text).getAddress();
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException("'" + text + "' is not an address", malformed);
    }
  }
}
