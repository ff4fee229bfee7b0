package dev.mayfly.cluster;

import dev.mayfly.engine.EngineSettings;
import dev.mayfly.expiry.Clock;
import dev.mayfly.store.Board;
import dev.mayfly.store.MemoryBoard;
import dev.mayfly.store.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Several servers of one cluster in this process, for tests: a board and stores in memory, real
 * connections between the servers on the loopback interface, real signs of life.
 *
 * <pre>{@code
 * try (TestServers servers = TestServers.start(2, new ManualClock(1_700_000_000_000L))) {
 *   MongoDoor one = MongoDoor.open(servers.cells(0), ...);
 *   MongoDoor two = MongoDoor.open(servers.cells(1), ...);
 *   servers.cells(0).move(cell, 1);
 *   servers.kill(0);
 * }
 * }</pre>
 *
 * <p>Cells stay where they are created until a test moves them. Close the doors before the servers.
 */
public final class TestServers implements AutoCloseable {
  private final Board board;
  private final Stores stores;
  private final Clock clock;
  private final List<SharedCells> servers = new ArrayList<>();

  private TestServers(Board board, Stores stores, Clock clock) {
    this.board = board;
    this.stores = stores;
    this.clock = clock;
  }

  /** Starts servers that share a clock. Their slots are from 0, in this order. */
  public static TestServers start(int count, Clock clock) {
    MemoryBoard board = new MemoryBoard();
    TestServers servers = on(board, board.stores(), clock);
    for (int i = 0; i < count; i++) {
      servers.add();
    }
    return servers;
  }

  /** Returns a cluster without servers on another board. */
  public static TestServers on(Board board, Stores stores, Clock clock) {
    return new TestServers(board, stores, clock);
  }

  /** Starts one more server, which finds those that run. Returns its cells. */
  public SharedCells add() {
    return add(clock, Duration.ZERO);
  }

  /** Starts one more server with a clock of its own. */
  public SharedCells add(Clock ownClock, Duration balanceInterval) {
    SharedCells cells =
        SharedCells.open(
            board,
            stores,
            SharedCellsSettings.of(
                    UUID.randomUUID(),
                    "server-" + servers.size(),
                    "test",
                    "127.0.0.1",
                    EngineSettings.standard(System::nanoTime))
                .withBalanceInterval(balanceInterval),
            ownClock);
    servers.add(cells);
    servers.forEach(SharedCells::refresh);
    return cells;
  }

  /** Returns the cells as the server with an index sees them. */
  public SharedCells cells(int server) {
    return servers.get(server);
  }

  /** Stops a server as a crash does: it gives no cell to anybody, and others find out slowly. */
  public void kill(int server) {
    servers.get(server).kill();
  }

  @Override
  public void close() {
    servers.forEach(SharedCells::close);
  }
}
