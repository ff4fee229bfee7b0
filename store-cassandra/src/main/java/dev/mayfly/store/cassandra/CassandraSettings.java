package dev.mayfly.store.cassandra;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How to reach Cassandra, and the limits of a cell.
 *
 * @param contactPoints {@code HOST} or {@code HOST:PORT}, at least one
 * @param datacenter the local data center of the driver
 * @param keyspace created if it does not exist, with {@code replication} copies in the data center
 * @param login empty if the cluster has no authentication
 * @param driverFile a configuration file of the driver, for TLS and everything else
 * @param timeout of one request
 */
public record CassandraSettings(
    List<String> contactPoints,
    String datacenter,
    String keyspace,
    int replication,
    Optional<Login> login,
    Optional<Path> driverFile,
    Duration timeout,
    CellLimits limits) {
  public static final int PORT = 9042;

  /** User and password of Cassandra. */
  public record Login(String user, String password) {
    @Override
    public String toString() {
      return "Login[" + user + "]";
    }
  }

  public CassandraSettings {
    if (contactPoints.isEmpty()) {
      throw new IllegalArgumentException("a contact point of Cassandra is required");
    }
    if (!keyspace.matches("[a-z][a-z0-9_]{0,47}")) {
      throw new IllegalArgumentException(
          "invalid keyspace '" + keyspace + "': use lower-case letters, digits and underscores");
    }
  }

  /** Returns the settings for a cluster without authentication. */
  public static CassandraSettings of(List<String> contactPoints) {
    return new CassandraSettings(
        contactPoints,
        "datacenter1",
        "mayfly",
        3,
        Optional.empty(),
        Optional.empty(),
        Duration.ofSeconds(12),
        CellLimits.standard());
  }

  public CassandraSettings withKeyspace(String other, int copies) {
    return new CassandraSettings(
        contactPoints, datacenter, other, copies, login, driverFile, timeout, limits);
  }

  public CassandraSettings withLimits(CellLimits other) {
    return new CassandraSettings(
        contactPoints, datacenter, keyspace, replication, login, driverFile, timeout, other);
  }
}
