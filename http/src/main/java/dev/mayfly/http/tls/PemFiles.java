package dev.mayfly.http.tls;

import dev.mayfly.net.x509.Der;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Reader of PEM files with a private key and certificates. */
final class PemFiles {
  private static final Pattern KEY =
      Pattern.compile(
          "-----BEGIN ((?:RSA |EC |ENCRYPTED )?PRIVATE KEY)-----([^-]+)-----END \\1-----");
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");
  private static final byte[] RSA =
      Der.sequence(Der.objectId(1, 2, 840, 113549, 1, 1, 1), new byte[] {5, 0});
  private static final byte[] EC_PUBLIC_KEY = Der.objectId(1, 2, 840, 10045, 2, 1);
  private static final int CURVE_TAG = 0xA0;

  private PemFiles() {}

  static KeyAndChain read(Path certificates, Path keyFile, String password) {
    List<X509Certificate> chain = chain(certificates);
    PrivateKey key = key(keyFile, password);
    if (!matches(key, chain.getFirst().getPublicKey())) {
      throw new IllegalArgumentException(
          "the key in "
              + keyFile
              + " does not belong to the first certificate in "
              + certificates
              + ": put the certificate of the server first");
    }
    return new KeyAndChain(key, chain);
  }

  private static List<X509Certificate> chain(Path file) {
    List<X509Certificate> chain = new ArrayList<>();
    try {
      for (Certificate each :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes(file)))) {
        chain.add((X509Certificate) each);
      }
    } catch (GeneralSecurityException invalid) {
      throw new IllegalArgumentException(file + " contains an invalid certificate", invalid);
    }
    if (chain.isEmpty()) {
      throw new IllegalArgumentException(
          file + " contains no certificate: it must have a part -----BEGIN CERTIFICATE-----");
    }
    return chain;
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
  }

  private static PrivateKey key(Path file, String password) {
    Matcher part = KEY.matcher(new String(bytes(file), StandardCharsets.ISO_8859_1));
    if (!part.find()) {
      throw new IllegalArgumentException(
          file + " contains no private key: it must have a part -----BEGIN PRIVATE KEY-----");
    }
    try {
      byte[] der = Base64.getMimeDecoder().decode(part.group(2));
      return parse(
          switch (part.group(1)) {
            case "RSA PRIVATE KEY" -> wrapped(RSA, der);
            case "EC PRIVATE KEY" -> wrapped(Der.sequence(EC_PUBLIC_KEY, curve(der)), der);
            case "ENCRYPTED PRIVATE KEY" -> decrypted(file, der, password);
            default -> der;
          });
    } catch (GeneralSecurityException | IOException | IllegalArgumentException invalid) {
      throw new IllegalArgumentException(
          file + " contains no valid private key (RSA, EC or EdDSA): " + invalid.getMessage(),
          invalid);
    }
  }

  private static PrivateKey parse(byte[] pkcs8) throws GeneralSecurityException {
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (InvalidKeySpecException other) {
        // a key of another algorithm
      }
    }
    throw new GeneralSecurityException("the algorithm is not supported");
  }

  /** Puts the algorithm before a key, as PKCS8 does. */
  private static byte[] wrapped(byte[] algorithm, byte[] key) {
    return Der.sequence(Der.integer(BigInteger.ZERO), algorithm, Der.octets(key));
  }

  /** Returns the object id of the curve, which follows the private key in the SEC1 form. */
  private static byte[] curve(byte[] sec1) {
    // SEQUENCE { INTEGER 1, OCTET STRING key, [0] { OBJECT ID curve }, ... }; all lengths are short
    int at = 2 + 3;
    if (sec1.length > at + 1 && (sec1[1] & 0x80) != 0) {
      at++;
    }
    int parameters = at + 2 + (sec1[at + 1] & 0xFF);
    if (parameters + 4 > sec1.length || (sec1[parameters] & 0xFF) != CURVE_TAG) {
      throw new IllegalArgumentException("it does not name its curve");
    }
    int start = parameters + 2;
    return Arrays.copyOfRange(sec1, start, start + (sec1[parameters + 1] & 0xFF));
  }

  private static byte[] decrypted(Path file, byte[] der, String password)
      throws GeneralSecurityException, IOException {
    if (password.isEmpty()) {
      throw new IllegalArgumentException("it is encrypted: set tls-password");
    }
    EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(der);
    // for PBES2, the parameters name the algorithm
    String algorithm =
        info.getAlgName().equals("PBES2") || info.getAlgName().startsWith("1.2.840.113549.1.5.13")
            ? info.getAlgParameters().toString()
            : info.getAlgName();
    try {
      Cipher cipher = Cipher.getInstance(algorithm);
      cipher.init(
          Cipher.DECRYPT_MODE,
          SecretKeyFactory.getInstance(algorithm)
              .generateSecret(new PBEKeySpec(password.toCharArray())),
          info.getAlgParameters());
      return info.getKeySpec(cipher).getEncoded();
    } catch (GeneralSecurityException wrong) {
      throw new IllegalArgumentException("tls-password is wrong for " + file, wrong);
    }
  }

  /** Whether both are parts of one pair: the public key verifies what the private key signs. */
  private static boolean matches(PrivateKey key, PublicKey certified) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> "EdDSA";
        };
    byte[] text = "mayfly".getBytes(StandardCharsets.US_ASCII);
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(certified);
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException other) {
      return false;
    }
  }
}
