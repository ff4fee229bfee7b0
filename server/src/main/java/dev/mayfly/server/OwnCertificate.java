package dev.mayfly.server;

import dev.mayfly.http.SelfSigned;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLContext;

/**
 * Self-signed certificate of a server without a configured one: created once and stored in the data
 * directory. Cosmos DB clients require TLS.
 *
 * <p>Reading it takes as long as opening the store, so both run in parallel. A new certificate is
 * created only after the store is open, because the store may reject the directory.
 */
final class OwnCertificate {
  private static final String CERTIFICATE = "cosmos-certificate.p12";

  private final FutureTask<SSLContext> task;

  private OwnCertificate(FutureTask<SSLContext> task) {
    this.task = task;
  }

  static OwnCertificate of(ServerSettings settings) {
    Optional<Path> file = settings.data().map(directory -> directory.resolve(CERTIFICATE));
    OwnCertificate own = new OwnCertificate(new FutureTask<>(() -> in(file)));
    boolean needed = settings.cosmos().filter(door -> door.http().tls().isEmpty()).isPresent();
    if (needed && file.filter(Files::exists).isPresent()) {
      Thread.ofPlatform().daemon().name("mayfly-certificate").start(own.task);
    }
    return own;
  }

  private static SSLContext in(Optional<Path> file) {
    long now = System.currentTimeMillis();
    return file.map(path -> SelfSigned.in(path, now)).orElseGet(() -> SelfSigned.fresh(now));
  }

  /** The TLS context; reads or creates the certificate if that has not begun. */
  SSLContext get() {
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
