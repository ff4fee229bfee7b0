package dev.mayfly.cluster;

/** Where a database is served. */
public sealed interface Route {
  /** By this server. */
  record Here(Cell cell) implements Route {}

  /**
   * By another server.
   *
   * @param cell the number of the cell
   */
  record There(Peer peer, int cell) implements Route {}

  /** Nowhere: no cell has the database, so it is empty. */
  record Nowhere() implements Route {}

  /** By no server at present: its owner is gone, and another one takes over soon. */
  record Orphaned(int cell) implements Route {}
}
