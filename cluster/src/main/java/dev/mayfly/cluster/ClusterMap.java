package dev.mayfly.cluster;

import dev.mayfly.store.CellState;
import dev.mayfly.store.MemberRow;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Members and cells as they were read from the board. Immutable.
 *
 * @param live the servers that give signs of life, this one included, by their ids
 * @param cells by their numbers
 */
record ClusterMap(Map<UUID, MemberRow> live, Map<Integer, CellState> cells) {
  static final ClusterMap EMPTY = new ClusterMap(Map.of(), Map.of());

  static ClusterMap of(
      Collection<MemberRow> members, Predicate<UUID> isLive, Collection<CellState> cells) {
    return new ClusterMap(
        members.stream()
            .filter(row -> isLive.test(row.server()))
            .collect(Collectors.toUnmodifiableMap(MemberRow::server, Function.identity())),
        cells.stream().collect(Collectors.toUnmodifiableMap(CellState::cell, Function.identity())));
  }

  /** Returns the live owner of a cell. */
  Optional<MemberRow> owner(int cell) {
    return Optional.ofNullable(cells.get(cell)).flatMap(CellState::owner).map(live::get);
  }

  /** Returns the live servers in the order of their slots. */
  List<MemberRow> bySlot() {
    return live.values().stream().sorted(Comparator.comparingInt(MemberRow::slot)).toList();
  }

  /** Returns the servers that may become owners of cells. */
  List<MemberRow> takers() {
    return bySlot().stream().filter(row -> Double.isFinite(row.load())).toList();
  }

  /** Returns the number of cells of a server. */
  long cellsOf(UUID server) {
    return cells.values().stream().filter(cell -> cell.owner().equals(Optional.of(server))).count();
  }
}
