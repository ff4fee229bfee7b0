package dev.mayfly.server;

import dev.mayfly.cluster.Placement;
import dev.mayfly.store.Board;
import dev.mayfly.store.Stores;
import java.time.Duration;

/**
 * Store that the servers of a cluster share, in place of a data directory.
 *
 * @param opener opens it; fails with a message for users
 * @param description where the data is, for users: {@code "Cassandra at 10.0.0.1, keyspace mayfly"}
 * @param cluster how this server takes part in the cluster
 */
public record SharedStore(Opener opener, String description, Membership cluster) {
  /** Opens the store. */
  @FunctionalInterface
  public interface Opener {
    /** Connects and opens the store. */
    Opened open();
  }

  /** An open store. Closed after the cells. */
  public interface Opened extends AutoCloseable {
    /** Returns what the servers share beside the data. */
    Board board();

    /** Returns the stores of the cells. */
    Stores stores();

    @Override
    void close();
  }

  /**
   * How a server takes part in a cluster.
   *
   * @param peerBind address on which it listens for other servers
   * @param peerHost host that other servers connect to
   * @param peerPort 0 for any free port
   * @param advertised host, perhaps with a port, that clients connect to; empty for {@code
   *     peerHost}
   * @param placement which cells databases get
   * @param lease how long it serves its cells after its last sign of life
   * @param maxClockSkew difference to other clocks above which it hands its cells over
   */
  public record Membership(
      String peerBind,
      String peerHost,
      int peerPort,
      String advertised,
      Placement placement,
      Duration lease,
      Duration maxClockSkew) {}

  /** Returns the host of an address that may have a port. */
  public static String withoutPort(String address) {
    int colon = address.lastIndexOf(':');
    return colon < 0 || address.endsWith("]") ? address : address.substring(0, colon);
  }
}
