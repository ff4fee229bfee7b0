package dev.mayfly.net.x509;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Makes keys on the curve secp256r1 and signs certificates of version 3 with them. */
public final class CertificateSigner {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final byte[] ECDSA_WITH_SHA256 =
      Der.sequence(Der.objectId(1, 2, 840, 10045, 4, 3, 2));
  private static final byte[] COMMON_NAME = Der.objectId(2, 5, 4, 3);
  private static final Duration SELF_SIGNED_LIFETIME = Duration.ofDays(3650);

  private CertificateSigner() {}

  public static KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  /** Encodes the name of a subject or issuer. */
  public static byte[] name(String text) {
    return Der.sequence(Der.set(Der.sequence(COMMON_NAME, Der.text(text))));
  }

  /** Returns a certificate without extensions that its own key has signed. */
  public static X509Certificate selfSigned(KeyPair pair, String name, Instant from)
      throws GeneralSecurityException {
    byte[] encodedName = name(name);
    return sign(
        pair.getPrivate(),
        encodedName,
        encodedName,
        from,
        from.plus(SELF_SIGNED_LIFETIME),
        pair.getPublic().getEncoded(),
        List.of());
  }

  /**
   * Signs a certificate.
   *
   * @param issuer name of the signer, encoded
   * @param subject name of the holder, encoded
   * @param publicKey of the holder, encoded
   * @param extensions encoded
   */
  public static X509Certificate sign(
      PrivateKey issuerKey,
      byte[] issuer,
      byte[] subject,
      Instant from,
      Instant until,
      byte[] publicKey,
      List<byte[]> extensions)
      throws GeneralSecurityException {
    byte[] body =
        Der.sequence(
            Der.explicit(0, Der.integer(BigInteger.TWO)),
            Der.integer(new BigInteger(127, new SecureRandom()).add(BigInteger.ONE)),
            ECDSA_WITH_SHA256,
            issuer,
            Der.sequence(Der.time(TIME.format(from)), Der.time(TIME.format(until))),
            subject,
            publicKey,
            extensions.isEmpty()
                ? new byte[0]
                : Der.explicit(3, Der.sequence(extensions.toArray(byte[][]::new))));
    Signature signer = Signature.getInstance("SHA256withECDSA");
    signer.initSign(issuerKey);
    signer.update(body);
    byte[] whole = Der.sequence(body, ECDSA_WITH_SHA256, Der.bits(signer.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(whole));
  }
}
