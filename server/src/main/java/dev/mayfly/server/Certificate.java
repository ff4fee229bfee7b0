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
      KeyManagerFactory own =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      own.init(keys, secret);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException wrong) {
      throw new IllegalArgumentException("no certificate in " + file, wrong);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the certificate in " + file, failure);
    }
  }
}
