package dev.mayfly.http.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/**
 * TLS certificate of a server, and its renewal: an automatic certificate is issued again when a
 * third of its time is left, and files are read again when they have changed. Both happen during a
 * handshake, at most once a minute. Connections that are open keep their certificate.
 */
public final class TlsCertificate {
  private static final int RENEWAL_PARTS = 3;

  private final RenewedKeys keys;
  private final SSLContext context;

  private TlsCertificate(KeyAndChain first, RenewedKeys.Source source, LongSupplier clock) {
    this.keys = new RenewedKeys(first, source, clock);
    try {
      this.context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {keys}, null, null);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Returns a certificate that an authority issues.
   *
   * @param names host names and addresses
   * @param clock epoch milliseconds of the system
   */
  public static TlsCertificate issuedBy(
      CertificateAuthority authority, List<String> names, LongSupplier clock) {
    long renewal =
        CertificateAuthority.LEAF_LIFETIME.toMillis()
            - CertificateAuthority.LEAF_LIFETIME.toMillis() / RENEWAL_PARTS;
    long now = clock.getAsLong();
    return new TlsCertificate(
        authority.issue(names, now),
        new Issued(authority, List.copyOf(names), renewal, now),
        clock);
  }

  /** Issues the certificate again after a time. */
  private static final class Issued implements RenewedKeys.Source {
    private final CertificateAuthority authority;
    private final List<String> names;
    private final long renewal;
    private long issuedAt;

    Issued(CertificateAuthority authority, List<String> names, long renewal, long issuedAt) {
      this.authority = authority;
      this.names = names;
      this.renewal = renewal;
      this.issuedAt = issuedAt;
    }

    @Override
    public List<KeyAndChain> next(long now) {
      if (now < issuedAt + renewal) {
        return List.of();
      }
      issuedAt = now;
      return List.of(authority.issue(names, now));
    }
  }

  /**
   * Returns a certificate from PEM files.
   *
   * @param certificate the certificate, followed by those that issued it
   * @param key its private key: PKCS8, also encrypted, PKCS1 (RSA) or SEC1 (EC)
   * @param password of an encrypted key
   * @throws IllegalArgumentException if a file does not contain what it should, or they do not
   *     match
   * @throws UncheckedIOException if a file cannot be read
   */
  public static TlsCertificate inPem(
      Path certificate, Path key, String password, LongSupplier clock) {
    return inFiles(
        List.of(certificate, key), () -> PemFiles.read(certificate, key, password), clock);
  }

  /**
   * Returns a certificate from a PKCS12 file, which contains one key.
   *
   * @throws IllegalArgumentException if the file does not contain one, or the password is wrong
   * @throws UncheckedIOException if the file cannot be read
   */
  public static TlsCertificate inPkcs12(Path file, String password, LongSupplier clock) {
    return inFiles(List.of(file), () -> pkcs12(file, password), clock);
  }

  private static KeyAndChain pkcs12(Path file, String password) {
    char[] secret = password.toCharArray();
    try (InputStream bytes = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(bytes, secret);
      for (String alias : Collections.list(store.aliases())) {
        if (store.getKey(alias, secret) instanceof PrivateKey key) {
          List<X509Certificate> chain = new ArrayList<>();
          for (Certificate each : store.getCertificateChain(alias)) {
            chain.add((X509Certificate) each);
          }
          return new KeyAndChain(key, chain);
        }
      }
      throw new GeneralSecurityException("no key");
    } catch (GeneralSecurityException invalid) {
      throw new IllegalArgumentException(
          file + " contains no key with a certificate, or the password is wrong", invalid);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the certificate in " + file, failure);
    }
  }

  /** Reads a key and its certificates. */
  private interface Reader {
    KeyAndChain read();
  }

  private static TlsCertificate inFiles(List<Path> files, Reader reader, LongSupplier clock) {
    return new TlsCertificate(reader.read(), new Reread(files, reader), clock);
  }

  /** Reads files again after they have changed. */
  private static final class Reread implements RenewedKeys.Source {
    private final List<Path> files;
    private final Reader reader;
    private List<FileTime> seen;

    Reread(List<Path> files, Reader reader) {
      this.files = files;
      this.reader = reader;
      this.seen = times();
    }

    @Override
    public List<KeyAndChain> next(long now) {
      List<FileTime> times = times();
      if (times.equals(seen)) {
        return List.of();
      }
      KeyAndChain read = reader.read();
      seen = times;
      return List.of(read);
    }

    private List<FileTime> times() {
      List<FileTime> times = new ArrayList<>();
      for (Path file : files) {
        try {
          times.add(Files.getLastModifiedTime(file));
        } catch (IOException failure) {
          throw new UncheckedIOException("cannot read " + file, failure);
        }
      }
      return times;
    }
  }

  KeyAndChain current() {
    return keys.current();
  }

  /** The context for connections of clients. */
  public SSLContext context() {
    return context;
  }

  /** The certificate that clients must trust, as PEM. */
  public String pem() {
    return keys.current().trustPem();
  }

  /** Host names in the certificate, without those with a wildcard. */
  public Set<String> names() {
    return keys.current().names();
  }
}
