package dev.mayfly.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** TLS certificate of the doors, from a PKCS12 file. */
public final class Certificate {
  /** Type of a host name among the alternative names. */
  private static final Integer DNS_NAME = 2;

  private Certificate() {}

  /**
   * Reads a file that contains one key and its certificate.
   *
   * @throws IllegalArgumentException when the file does not contain them, or the password is wrong
   */
  public static SSLContext load(Path file, String password) {
    char[] secret = password.toCharArray();
    try {
      KeyManagerFactory keyManagers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keyManagers.init(keys(file, secret), secret);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keyManagers.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException invalid) {
      throw unusable(file, invalid);
    }
  }

  private static KeyStore keys(Path file, char[] secret) throws GeneralSecurityException {
    try (InputStream bytes = Files.newInputStream(file)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(bytes, secret);
      return keys;
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the certificate in " + file, failure);
    }
  }

  private static IllegalArgumentException unusable(Path file, Exception cause) {
    return new IllegalArgumentException(
        file + " contains no key with a certificate, or the password is wrong", cause);
  }

  /**
   * Returns the host names in the certificates of a file. Names with a wildcard are left out: they
   * do not name a machine.
   *
   * @throws IllegalArgumentException as {@link #load} does
   */
  public static Set<String> names(Path file, String password) {
    Set<String> names = new TreeSet<>();
    try {
      KeyStore keys = keys(file, password.toCharArray());
      for (String alias : Collections.list(keys.aliases())) {
        if (keys.getCertificate(alias) instanceof X509Certificate certificate) {
          names.addAll(names(certificate));
        }
      }
    } catch (GeneralSecurityException invalid) {
      throw unusable(file, invalid);
    }
    return names;
  }

  private static Set<String> names(X509Certificate certificate) throws GeneralSecurityException {
    Set<String> names = new TreeSet<>();
    Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
    if (alternatives != null) {
      for (List<?> alternative : alternatives) {
        if (alternative.getFirst().equals(DNS_NAME)
            && alternative.getLast() instanceof String name
            && !name.startsWith("*")) {
          names.add(name);
        }
      }
    }
    return names;
  }
}
