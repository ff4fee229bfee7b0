package dev.mayfly.store.cassandra;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How to reach Cassandra, and the limits of a cell.
 *
 * @param contactPoints {@code HOST} or {@code HOST:PORT}, at least one
 * @param datacenter the data center to use; empty for that of the contact points
 * @param keyspace created if it does not exist, with 3 copies or as many as there are nodes
 * @param login empty if the cluster has no authentication
 * @param driverFile a configuration file of the driver, for TLS and everything else
 * @param timeout of one request
 */
public record CassandraSettings(
    List<String> contactPoints,
    String datacenter,
    String keyspace,
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
    contactPoints = List.copyOf(contactPoints);
    if (!keyspace.matches("[a-z][a-z0-9_]{0,47}")) {
      throw new IllegalArgumentException(
          "invalid keyspace '" + keyspace + "': use lower-case letters, digits and underscores");
    }
  }

  /** Returns the settings for a cluster without authentication. */
  public static CassandraSettings of(List<String> contactPoints) {
    return new CassandraSettings(
        contactPoints,
        "",
        "mayfly",
        Optional.empty(),
        Optional.empty(),
        Duration.ofSeconds(12),
        CellLimits.standard());
  }

  public CassandraSettings withDatacenter(String other) {
    return new CassandraSettings(
        contactPoints, other, keyspace, login, driverFile, timeout, limits);
  }

  public CassandraSettings withKeyspace(String other) {
    return new CassandraSettings(
        contactPoints, datacenter, other, login, driverFile, timeout, limits);
  }

  public CassandraSettings withLogin(Login other) {
    return new CassandraSettings(
        contactPoints, datacenter, keyspace, Optional.of(other), driverFile, timeout, limits);
  }

  /** As this, with a configuration file of the driver, for TLS and everything else. */
  public CassandraSettings withDriverFile(Path other) {
    return new CassandraSettings(
        contactPoints, datacenter, keyspace, login, Optional.of(other), timeout, limits);
  }

  public CassandraSettings withLimits(CellLimits other) {
    return new CassandraSettings(
        contactPoints, datacenter, keyspace, login, driverFile, timeout, other);
  }
}
