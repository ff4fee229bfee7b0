package dev.mayfly.server;

import dev.mayfly.cluster.Placement;
import dev.mayfly.cluster.Route;
import dev.mayfly.store.Board;
import dev.mayfly.store.MemoryBoard;
import dev.mayfly.store.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Whole servers of one cluster in this process, whose board and stores are in memory. */
public final class MemoryCluster implements AutoCloseable {
  private final Opened store = new Opened(new MemoryBoard());
  private final List<Server> servers = new ArrayList<>();

  private record Opened(Board board, Stores stores) implements SharedStore.Opened {
    Opened(MemoryBoard board) {
      this(board, board.stores());
    }

    @Override
    public void close() {}
  }

  /** Starts servers on free ports. */
  public MemoryCluster(int count) {
    SharedStore.Membership membership =
        new SharedStore.Membership(
            "127.0.0.1",
            "127.0.0.1",
            0,
            "",
            Placement.DATABASE,
            Duration.ofSeconds(4),
            Duration.ofMillis(500));
    for (int i = 0; i < count; i++) {
      servers.add(
          Server.open(
              ServerSettings.inMemory()
                  .withShared(new SharedStore(() -> store, "memory", membership))));
    }
    servers.getFirst().cells().refresh();
  }

  public List<Server> servers() {
    return List.copyOf(servers);
  }

  public Server server(int index) {
    return servers.get(index);
  }

  /** Stops a server. */
  public void stop(int index) {
    servers.remove(index).close();
  }

  /** Returns the number of the cell of a database. */
  public int cell(String database) {
    return switch (servers.getFirst().cells().route(database)) {
      case Route.Here(var here) -> here.number();
      case Route.There there -> there.cell();
      case Route.Orphaned orphaned -> orphaned.cell();
      case Route.Nowhere _ -> throw new AssertionError("no cell has " + database);
    };
  }

  @Override
  public void close() {
    servers.reversed().forEach(Server::close);
  }
}
