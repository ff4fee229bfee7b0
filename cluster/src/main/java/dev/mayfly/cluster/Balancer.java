package dev.mayfly.cluster;

import dev.mayfly.store.CellState;
import dev.mayfly.store.MemberRow;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Balances the number of cells of the servers: the live server with the lowest slot moves one cell
 * at a time, while one server has at least two cells more than another. The home cell stays. For
 * one thread.
 */
final class Balancer {
  private static final System.Logger LOG = System.getLogger(Balancer.class.getName());

  private final SharedCells cells;

  Balancer(SharedCells cells) {
    this.cells = cells;
  }

  /** A cell to move, and the slot of its next owner. */
  record Move(int cell, int slot) {}

  /** Moves at most one cell. */
  void balance() {
    ClusterMap map = cells.map();
    List<MemberRow> live = map.bySlot();
    if (!live.isEmpty() && live.getFirst().server().equals(cells.id())) {
      next(map).ifPresent(this::move);
    }
  }

  /** Returns what to move; empty if the cells are balanced, or a cell has no owner at present. */
  static Optional<Move> next(ClusterMap map) {
    List<MemberRow> takers = map.takers();
    boolean isSettled =
        map.cells().values().stream().allMatch(cell -> map.owner(cell.cell()).isPresent());
    if (takers.size() < 2 || !isSettled) {
      return Optional.empty();
    }
    Comparator<MemberRow> byCells = Comparator.comparingLong(row -> map.cellsOf(row.server()));
    MemberRow most = takers.stream().max(byCells).orElseThrow();
    MemberRow least = takers.stream().min(byCells).orElseThrow();
    if (map.cellsOf(most.server()) - map.cellsOf(least.server()) < 2) {
      return Optional.empty();
    }
    return map.cells().values().stream()
        .filter(cell -> cell.cell() != Cell.HOME)
        .filter(cell -> cell.owner().equals(Optional.of(most.server())))
        .map(CellState::cell)
        .min(Comparator.naturalOrder())
        .map(cell -> new Move(cell, least.slot()));
  }

  private void move(Move move) {
    LOG.log(
        System.Logger.Level.INFO,
        "moves cell {0} to the server with slot {1}",
        move.cell(),
        move.slot());
    try {
      cells.move(move.cell(), move.slot());
    } catch (PeerException | MovedException | IllegalArgumentException failure) {
      LOG.log(System.Logger.Level.DEBUG, "a cell was not moved", failure);
    }
  }
}
