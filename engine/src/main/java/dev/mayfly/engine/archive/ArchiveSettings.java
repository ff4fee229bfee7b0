package dev.mayfly.engine.archive;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Settings of an operator for actions on expiry. Immutable.
 *
 * @param directory the directory below which collections may write files; empty if none may
 * @param hosts the hosts to which documents may be sent: as {@code example.com} or {@code
 *     example.com:8443}; empty if none
 * @param secret the key of the signatures of HTTP requests; empty to send them without one
 * @param limitBytes how many bytes of documents a collection keeps that are not delivered; beyond
 *     it, the oldest are discarded. 0 for no limit
 */
public record ArchiveSettings(
    Optional<Path> directory, List<String> hosts, String secret, long limitBytes) {
  private static final long STANDARD_LIMIT_BYTES = 10L << 30;

  /** No files, no HTTP, at most 10 GiB of documents that are not delivered. */
  public static final ArchiveSettings STANDARD =
      new ArchiveSettings(Optional.empty(), List.of(), "", STANDARD_LIMIT_BYTES);

  public ArchiveSettings {
    hosts = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
  }

  public ArchiveSettings withDirectory(Path root) {
    return new ArchiveSettings(Optional.of(root), hosts, secret, limitBytes);
  }

  public ArchiveSettings withHosts(List<String> allowed) {
    return new ArchiveSettings(directory, allowed, secret, limitBytes);
  }

  public ArchiveSettings withSecret(String key) {
    return new ArchiveSettings(directory, hosts, key, limitBytes);
  }

  public ArchiveSettings withLimitBytes(long bytes) {
    return new ArchiveSettings(directory, hosts, secret, bytes);
  }

  /** Returns whether documents may be sent to an address. */
  public boolean allows(OnExpire.Target.Post post) {
    return hosts.contains(post.authority());
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "ArchiveSettings[directory=" + directory + ", hosts=" + hosts + "]";
  }
}
