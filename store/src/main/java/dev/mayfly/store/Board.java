package dev.mayfly.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * What the servers of a cluster share beside the data: signs of life, owners of cells, places of
 * databases. Safe for many threads.
 *
 * <p>Every change that two servers could contend for is conditional: at most one of them succeeds.
 * Every method may block, and fails with {@link StoreException} only. After UNAVAILABLE a change
 * may have been made or not.
 */
public interface Board {
  /** Cells that a cluster has at most; their numbers are from 0. */
  int CELLS = 256;

  // Members.

  /** Writes the row of a server, in place of its previous one. */
  void beat(MemberRow member);

  /** Returns the rows of all servers that have not left. */
  List<MemberRow> members();

  /** Removes the row of a server. */
  void leave(UUID server);

  /** Returns the slots that are taken, and by which servers. */
  Map<Integer, UUID> slots();

  /**
   * Takes a slot, if it still belongs to the expected server, or to none.
   *
   * @return whether the server has the slot now
   */
  boolean takeSlot(int slot, Optional<UUID> expected, UUID server);

  /** Frees a slot, if it belongs to the server. */
  void freeSlot(int slot, UUID server);

  // Cells.

  /**
   * Returns the cells that exist, in the order of their numbers. Reads without a lock: a claim that
   * another server is just making may be missing.
   */
  List<CellState> cells();

  /** Creates a cell without owner; returns false if it exists. */
  boolean createCell(int cell);

  /**
   * Makes a server the owner of a cell under the next epoch, if the cell still has the expected
   * epoch and owner. No commit of an earlier epoch can succeed when this returns.
   *
   * @param floor no instant before it may be served
   * @return the new epoch; empty if the cell has another epoch or owner
   */
  OptionalLong claim(CellState expected, UUID server, long floor);

  /**
   * Gives a cell to another server, which must claim it, or to none. Does nothing if it has another
   * epoch or owner.
   *
   * @param floor later than every instant that was served
   */
  void handOver(int cell, long epoch, UUID owner, Optional<UUID> next, long floor);

  // Databases.

  /** Returns the cells of all databases. */
  Map<String, Integer> databases();

  /** Returns the cell of a database. */
  OptionalInt database(String name);

  /**
   * Places a database in a cell, unless it has a place. It stays there.
   *
   * @return the cell of the database
   */
  int placeDatabase(String name, int cell);

  // Time.

  /** Returns clocks of other machines, to compare this one with. */
  List<ReferenceClock> clocks();
}
