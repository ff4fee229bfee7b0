package dev.mayfly.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** TLS certificate of the doors, from a PKCS12 file. */
public final class Certificate {
  private Certificate() {}

  /**
   * Reads a file that contains one key and its certificate.
   *
   * @throws IllegalArgumentException when the file does not contain them, or the password is wrong
   */
  public static SSLContext load(Path file, String password) {
    char[] secret = password.toCharArray();
    try (InputStream bytes = Files.newInputStream(file)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(bytes, secret);
      KeyManagerFactory keyManagers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keyManagers.init(keys, secret);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keyManagers.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException invalid) {
      throw new IllegalArgumentException(
          file + " contains no key with a certificate, or the password is wrong", invalid);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the certificate in " + file, failure);
    }
  }
}
