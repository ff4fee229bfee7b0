package dev.mayfly.cosmos;

import dev.mayfly.cluster.Cell;
import dev.mayfly.cluster.CellLoss;
import dev.mayfly.cluster.CellObserver;
import dev.mayfly.cluster.MovedException;
import dev.mayfly.cluster.PeerException;
import dev.mayfly.cosmos.auth.ResourceTokens;
import dev.mayfly.cosmos.container.Metadata;
import dev.mayfly.cosmos.rest.ResourceType;
import dev.mayfly.http.Reply;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The backends of the cells that this server serves. A cell without resources of Cosmos DB gets its
 * backend by the first request. Safe for many threads.
 */
final class CellBackends implements CellObserver {
  private final CosmosSettings settings;
  private final ResourceTokens tokens;
  private final Map<Integer, CellBackend> served = new ConcurrentHashMap<>();

  CellBackends(CosmosSettings settings, ResourceTokens tokens) {
    this.settings = settings;
    this.tokens = tokens;
  }

  @Override
  public void opened(Cell cell) {
    CellBackend backend = new CellBackend(cell);
    served.put(cell.number(), backend);
    if (Metadata.isIn(cell.engine())) {
      var _ = backend.open();
    }
  }

  @Override
  public void closing(Cell cell) {
    CellBackend closed = served.remove(cell.number());
    if (closed != null) {
      closed.close();
    }
  }

  /**
   * Answers a request. Call it within an admission to the cell.
   *
   * @throws MovedException if nothing was done, because this server has lost the cell
   * @throws PeerException LOST if it has lost the cell, and something may have been done
   */
  Reply answer(Cell cell, Call call) {
    Backend backend = backend(cell.number());
    try {
      backend.authorize(call);
    } catch (RuntimeException failure) {
      throw CellLoss.of(failure) == CellLoss.NONE ? failure : new MovedException(cell.number());
    }
    return Replies.of(
        backend.exchange(call),
        exchange -> {
          try {
            return backend.run(exchange);
          } catch (RuntimeException failure) {
            throw translated(failure, cell, call);
          }
        });
  }

  /** Whether a cell has the database of a request. */
  boolean hasDatabase(Cell cell, Call call) {
    return backend(cell.number()).hasDatabase(call.address());
  }

  private Backend backend(int cell) {
    CellBackend backend = served.get(cell);
    if (backend == null) {
      throw new MovedException(cell);
    }
    return backend.open();
  }

  private static RuntimeException translated(RuntimeException failure, Cell cell, Call call) {
    return switch (CellLoss.of(failure)) {
      case NONE -> failure;
      case NOTHING_DONE -> isOneWrite(call) ? new MovedException(cell.number()) : lost(failure);
      case UNKNOWN -> lost(failure);
    };
  }

  /** Changes of other resources than items are several writes, of which some may be done. */
  private static boolean isOneWrite(Call call) {
    return call.address().type() == ResourceType.ITEM || ClusterBackends.isRepeatable(call);
  }

  private static PeerException lost(RuntimeException failure) {
    return new PeerException(
        PeerException.Reason.LOST, "this server has lost the cell of a request", failure);
  }

  /** The backend of one cell. */
  private final class CellBackend {
    private final Cell cell;
    private @Nullable Backend backend;
    private boolean closed;

    CellBackend(Cell cell) {
      this.cell = cell;
    }

    synchronized Backend open() {
      if (closed) {
        throw new MovedException(cell.number());
      }
      if (backend == null) {
        backend = Backend.open(cell.engine(), cell.number(), settings, tokens);
      }
      return backend;
    }

    synchronized void close() {
      closed = true;
      if (backend != null) {
        backend.close();
      }
    }
  }
}
