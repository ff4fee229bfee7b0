package dev.mayfly.server;

import dev.mayfly.http.SelfSigned;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLContext;

/**
 * The certificate of a server that was given none, as clients of Cosmos DB expect TLS: made once
 * and kept with the data.
 *
 * <p>Reading it takes as long as opening the store, so it is read meanwhile. It is made after that:
 * nothing is put into a directory that the store may refuse.
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
    boolean wanted = settings.cosmos().filter(door -> door.http().tls().isEmpty()).isPresent();
    if (wanted && file.filter(Files::exists).isPresent()) {
      Thread.ofPlatform().daemon().name("mayfly-certificate").start(own.task);
    }
    return own;
  }

  private static SSLContext in(Optional<Path> file) {
    long now = System.currentTimeMillis();
    return file.map(kept -> SelfSigned.in(kept, now)).orElseGet(() -> SelfSigned.fresh(now));
  }

  /** What it says to clients; made here if nobody has begun. */
  SSLContext get() {
    task.run();
    try {
      return task.get();
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(failure);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped while opening", stopped);
    }
  }
}
