package dev.mayfly.cluster;

import dev.mayfly.store.Board;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The cells of databases. A database stays in its cell, so this server remembers each cell that it
 * has read once. Safe for many threads.
 */
final class Databases {
  /** Databases of the cluster itself, which are in the home cell. */
  private static final Set<String> HOME = Set.of("admin", "config", "local");

  private final Board board;
  private final Placement placement;
  private final Map<String, Integer> known = new ConcurrentHashMap<>();

  Databases(Board board, Placement placement) {
    this.board = board;
    this.placement = placement;
  }

  /** Returns the cell of a database; empty if it has none. Blocks if it is not known here. */
  OptionalInt cell(String database) {
    if (placement == Placement.SINGLE || HOME.contains(database)) {
      return OptionalInt.of(Cell.HOME);
    }
    Integer found = known.get(database);
    if (found != null) {
      return OptionalInt.of(found);
    }
    OptionalInt read = board.database(database);
    read.ifPresent(cell -> known.put(database, cell));
    return read;
  }

  /** Returns the cell of a database; gives it one if it has none. */
  int place(String database) {
    OptionalInt found = cell(database);
    if (found.isPresent()) {
      return found.getAsInt();
    }
    int cell = board.placeDatabase(database, newCell());
    known.put(database, cell);
    return cell;
  }

  /** Creates a cell; if there are too many, returns the one with the fewest databases. */
  private int newCell() {
    Map<Integer, Integer> databases = new HashMap<>();
    board.cells().forEach(cell -> databases.put(cell.cell(), 0));
    for (int cell = Cell.HOME + 1; cell < Board.CELLS; cell++) {
      if (!databases.containsKey(cell) && board.createCell(cell)) {
        return cell;
      }
    }
    board.databases().values().forEach(cell -> databases.merge(cell, 1, Integer::sum));
    databases.remove(Cell.HOME);
    return databases.entrySet().stream()
        .min(
            Map.Entry.<Integer, Integer>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey()))
        .orElseThrow()
        .getKey();
  }
}
