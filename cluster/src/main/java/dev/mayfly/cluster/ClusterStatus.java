package dev.mayfly.cluster;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * State of a cluster, as one server sees it, for operators.
 *
 * @param servers that have not left, in the order of their slots
 * @param cells in the order of their numbers
 * @param notReady why this server serves no cells; empty if it does, or could
 */
public record ClusterStatus(
    List<ServerStatus> servers, List<CellStatus> cells, Optional<String> notReady) {
  /**
   * State of a server.
   *
   * @param isSelf whether it is the one that reports
   * @param isLive whether it gives signs of life
   * @param silentMillis time since its last sign of life was first seen
   * @param cells number of the cells that it owns
   * @param takesCells false while it is drained, or its clock is wrong
   * @param skewMillis its system clock minus that of this server; empty if it was not measured
   */
  public record ServerStatus(
      Member member,
      boolean isSelf,
      boolean isLive,
      long silentMillis,
      long cells,
      boolean takesCells,
      OptionalLong skewMillis) {}

  /**
   * State of a cell.
   *
   * @param owner the server that owns it, alive or not; empty if none does
   * @param isServed whether the owner is alive
   * @param epoch number of claims so far
   * @param logLag log entries that the next owner has to replay
   * @param databases in the order of their names
   */
  public record CellStatus(
      int number,
      Optional<UUID> owner,
      boolean isServed,
      long epoch,
      long logLag,
      List<String> databases) {}
}
