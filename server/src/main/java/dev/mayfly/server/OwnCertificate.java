package dev.mayfly.server;

import dev.mayfly.http.tls.CertificateAuthority;
import dev.mayfly.http.tls.TlsCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Certificate of a server without a configured one: issued at each start by an authority, which is
 * created once and stored in the data directory, or in a directory for several servers. Cosmos DB
 * clients require TLS.
 *
 * <p>Reading the authority takes as long as opening the store, so both run in parallel. A new one
 * is created only after the store is open, because the store may reject the directory.
 */
public final class OwnCertificate {
  private static final String FILE = "certificate-authority.p12";
  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "::1");

  private final FutureTask<TlsCertificate> task;

  private OwnCertificate(FutureTask<TlsCertificate> task) {
    this.task = task;
  }

  /** File of the authority in a directory. */
  public static Path file(Path directory) {
    return directory.resolve(FILE);
  }

  static OwnCertificate of(ServerSettings settings) {
    Optional<Path> file = settings.tls().authority().or(settings::data).map(OwnCertificate::file);
    OwnCertificate own =
        new OwnCertificate(
            new FutureTask<>(
                () -> settings.tls().configured().orElseGet(() -> issued(file, names(settings)))));
    boolean needed = settings.cosmos().isPresent() && settings.tls().configured().isEmpty();
    if (needed && file.filter(Files::exists).isPresent()) {
      Thread.ofPlatform().daemon().name("mayfly-certificate").start(own.task);
    }
    return own;
  }

  private static TlsCertificate issued(Optional<Path> file, List<String> names) {
    long now = System.currentTimeMillis();
    CertificateAuthority authority =
        file.map(path -> CertificateAuthority.in(path, now))
            .orElseGet(() -> CertificateAuthority.create(now));
    return TlsCertificate.issuedBy(authority, names, System::currentTimeMillis);
  }

  /** Loopback, the name of the machine or container, the advertised host, and given names. */
  private static List<String> names(ServerSettings settings) {
    Set<String> names = new LinkedHashSet<>(LOOPBACK);
    names.add(HostInfo.hostname());
    String advertised = settings.mongo().address().advertised();
    if (!advertised.isEmpty()) {
      names.add(withoutPort(advertised));
    }
    names.addAll(settings.tls().names());
    return new ArrayList<>(names);
  }

  private static String withoutPort(String hostAndPort) {
    int colon = hostAndPort.lastIndexOf(':');
    String host = colon > hostAndPort.indexOf(']') ? hostAndPort.substring(0, colon) : hostAndPort;
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** The certificate; reads or creates its authority if that has not begun. */
  TlsCertificate get() {
    task.run();
    try {
      return task.get();
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while opening the server", interrupted);
    }
  }
}
