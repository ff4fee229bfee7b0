package dev.mayfly.cluster;

import dev.mayfly.engine.EngineSettings;
import java.time.Duration;
import java.util.UUID;

/**
 * Settings of a server of a cluster.
 *
 * @param id of this run of the server: a new one for every start
 * @param name for operators: process and host
 * @param version of Mayfly
 * @param peerBind address on which it listens for other servers
 * @param peerHost host that other servers connect to
 * @param peerPort 0 for any free port
 * @param placement which cells databases get
 * @param lease how long it serves its cells after its last sign of life; the same for all servers
 * @param maxClockSkew difference to other clocks above which it hands its cells over
 * @param balanceInterval how often the cells are balanced; zero for never
 * @param engine settings of the engine of each cell
 */
public record SharedCellsSettings(
    UUID id,
    String name,
    String version,
    String peerBind,
    String peerHost,
    int peerPort,
    Placement placement,
    Duration lease,
    Duration maxClockSkew,
    Duration balanceInterval,
    EngineSettings engine) {
  public static final Duration LEASE = Duration.ofSeconds(4);
  public static final Duration MAX_CLOCK_SKEW = Duration.ofMillis(500);
  public static final Duration BALANCE_INTERVAL = Duration.ofSeconds(10);

  /** Returns the usual settings of a server that others reach at a host, by any free port. */
  public static SharedCellsSettings of(
      UUID id, String name, String version, String host, EngineSettings engine) {
    return new SharedCellsSettings(
        id,
        name,
        version,
        host,
        host,
        0,
        Placement.DATABASE,
        LEASE,
        MAX_CLOCK_SKEW,
        BALANCE_INTERVAL,
        engine);
  }

  public SharedCellsSettings withPlacement(Placement other) {
    return new SharedCellsSettings(
        id,
        name,
        version,
        peerBind,
        peerHost,
        peerPort,
        other,
        lease,
        maxClockSkew,
        balanceInterval,
        engine);
  }

  public SharedCellsSettings withBalanceInterval(Duration other) {
    return new SharedCellsSettings(
        id,
        name,
        version,
        peerBind,
        peerHost,
        peerPort,
        placement,
        lease,
        maxClockSkew,
        other,
        engine);
  }
}
