package dev.mayfly.cluster;

import dev.mayfly.engine.Engine;
import java.util.List;
import java.util.Optional;

/**
 * The cells of a cluster, as one server sees them: where each database is served, and by whom.
 *
 * <p>A server that is alone has one cell, which is its engine; see {@link #single}. Safe for many
 * threads.
 *
 * <pre>{@code
 * switch (cells.route("shop")) {
 *   case Route.Here here -> run(here.cell());
 *   case Route.There there -> relay(there.peer());
 *   case Route.Nowhere _ -> answerEmpty();
 * }
 * }</pre>
 */
public interface Cells extends AutoCloseable {
  /** Returns the cells of a server that is alone: one cell for all databases. */
  static Cells single(Engine engine) {
    return new SingleCells(engine);
  }

  /** Returns whether other servers may join. If not, every route is {@link Route.Here}. */
  boolean isShared();

  /**
   * Returns where a database is served. Answers from memory unless the database is unknown there,
   * so the route may be out of date: its server then fails with {@link MovedException}.
   */
  Route route(String database);

  /**
   * As {@link #route(String)}, for a request that may create the database: creates a cell for it if
   * it has none. Blocks.
   */
  Route routeForWrite(String database);

  /**
   * Returns where the home cell is served. It has the databases {@code admin} and {@code config}.
   */
  Route home();

  /** Returns where a cell is served. */
  Route routeOf(int cell);

  /**
   * Returns the numbers of all cells that exist, in ascending order. Contains every cell that was
   * created before the call, by whatever server; so it blocks.
   */
  List<Integer> numbers();

  /**
   * Reads again which server has which cell, or waits until that may have changed. Call it after
   * {@link MovedException} or a failure to reach a server. Returns after a fraction of a second.
   */
  void refresh();

  /** Returns the cells that this server serves now, in the order of their numbers. */
  List<Cell> served();

  /** Returns this server. */
  Member self();

  /**
   * Returns the servers that give signs of life, this one included, in the order of their slots.
   */
  List<Member> members();

  /** Returns the other servers that give signs of life. */
  List<Peer> peers();

  /** Returns the server with a slot, unless it is this one or gives no sign of life. */
  Optional<Peer> peer(int slot);

  /**
   * Sets the observer of cells that are opened and closed. It is first called for the cells that
   * are open already. A server has one observer per door; all are called in the order of their
   * addition.
   */
  void observe(CellObserver observer);

  /**
   * Returns the state of the cluster, for operators. Reads the places of databases, so it blocks.
   */
  ClusterStatus status();

  /**
   * Moves a cell to the server with a slot. Returns when that serves it. Blocks.
   *
   * @throws IllegalArgumentException if there is no such cell, or no such server takes cells
   * @throws MovedException if the cell has moved elsewhere meanwhile
   * @throws PeerException if the owner of the cell cannot be reached, or has failed
   */
  void move(int cell, int slot);

  /**
   * Drains the server with a slot: it hands over all its cells and takes none, until it is no
   * longer drained. Returns when that is done. Blocks.
   *
   * @param on false to end that
   * @throws IllegalArgumentException if no live server has the slot
   * @throws PeerException if the server cannot be reached, or has failed
   */
  void drain(int slot, boolean on);

  /** Sets what answers the requests of one kind that other servers relay. */
  void answer(RelayKind kind, RelayHandler handler);

  /**
   * Stops serving: hands all cells over to other servers, or releases them if there are none.
   * Closes the engines of the cells, except that of {@link #single}.
   */
  @Override
  void close();
}
