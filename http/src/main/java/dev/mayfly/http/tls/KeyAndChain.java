package dev.mayfly.http.tls;

import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Private key and its certificates, that of the server first.
 *
 * @param chain at least one certificate
 */
record KeyAndChain(PrivateKey key, List<X509Certificate> chain) {
  private static final Integer DNS_NAME = 2;
  private static final int LINE = 64;

  KeyAndChain {
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("a key needs a certificate");
    }
  }

  X509Certificate leaf() {
    return chain.getFirst();
  }

  /** The certificate that clients must trust, as PEM: the last one of the chain. */
  String trustPem() {
    return pem(chain.getLast());
  }

  static String pem(X509Certificate certificate) {
    try {
      byte[] separator = "\n".getBytes(StandardCharsets.US_ASCII);
      String body = Base64.getMimeEncoder(LINE, separator).encodeToString(certificate.getEncoded());
      return "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n";
    } catch (CertificateEncodingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Host names in the certificate, without those with a wildcard: they do not name a machine. */
  Set<String> names() {
    Set<String> names = new TreeSet<>();
    try {
      Collection<List<?>> alternatives = leaf().getSubjectAlternativeNames();
      if (alternatives != null) {
        for (List<?> alternative : alternatives) {
          if (alternative.getFirst().equals(DNS_NAME)
              && alternative.getLast() instanceof String name
              && !name.startsWith("*")) {
            names.add(name);
          }
        }
      }
    } catch (CertificateParsingException malformed) {
      throw new IllegalArgumentException("the names in the certificate are malformed", malformed);
    }
    return names;
  }
}
