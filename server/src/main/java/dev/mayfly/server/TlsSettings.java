package dev.mayfly.server;

import dev.mayfly.http.tls.TlsCertificate;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Certificate of a server.
 *
 * @param configured certificate from files; empty for an automatic one
 * @param authority directory of the authority that signs automatic certificates; empty for the data
 *     directory
 * @param names host names and addresses of the machine for automatic certificates, besides loopback
 *     and its own name
 */
public record TlsSettings(
    Optional<TlsCertificate> configured, Optional<Path> authority, List<String> names) {
  /** Automatic certificate for loopback and the name of the machine. */
  public static final TlsSettings STANDARD =
      new TlsSettings(Optional.empty(), Optional.empty(), List.of());

  public TlsSettings {
    names = List.copyOf(names);
  }
}
