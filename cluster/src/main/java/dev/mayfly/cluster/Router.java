package dev.mayfly.cluster;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Runs operations at the server of their cell, and again at its new owner if the cell has moved
 * meanwhile: a client does not notice that, it waits. Safe for many threads.
 */
public final class Router {
  /** How long an operation looks for the owner of its cell. */
  public static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Cells cells;
  private final LongSupplier ticker;

  /**
   * @param ticker the monotonic clock in nanoseconds
   */
  public Router(Cells cells, LongSupplier ticker) {
    this.cells = cells;
    this.ticker = ticker;
  }

  /** An operation that can run at any server. May be called again after a failure. */
  public interface Operation<T> {
    /**
     * Runs at this server, within an admission.
     *
     * @throws MovedException if nothing was done because the cell has moved
     * @throws PeerException LOST if the cell has moved, and something may have been done
     */
    T here(Cell cell);

    /** Runs at another server. May fail as {@link Peer#call} does. */
    T there(Peer peer, int cell);

    /** Returns the result for a database that does not exist. */
    T nowhere();

    /**
     * Returns whether it can be repeated if its first effect is unknown: it only reads, or the
     * engine recognizes the repetition by a receipt.
     */
    boolean isRepeatable();
  }

  /**
   * Runs an operation.
   *
   * @param route returns where; called again after each attempt that found the cell moved
   * @throws MovedException if the cell has had no owner for {@link #PATIENCE}
   * @throws PeerException LOST if the effect of an operation that is not repeatable is unknown
   */
  public <T> T run(Supplier<Route> route, Operation<T> operation) {
    long end = ticker.getAsLong() + PATIENCE.toNanos();
    while (true) {
      try {
        return switch (route.get()) {
          case Route.Here here -> here(here.cell(), operation);
          case Route.There there -> operation.there(there.peer(), there.cell());
          case Route.Nowhere _ -> operation.nowhere();
          case Route.Orphaned orphaned -> throw new MovedException(orphaned.cell());
        };
      } catch (MovedException moved) {
        if (ticker.getAsLong() - end > 0) {
          throw moved;
        }
      } catch (PeerException failure) {
        if (!mayRepeat(failure, operation) || ticker.getAsLong() - end > 0) {
          throw failure;
        }
      }
      cells.refresh();
    }
  }

  private static boolean mayRepeat(PeerException failure, Operation<?> operation) {
    return switch (failure.reason()) {
      case NOT_SENT -> true;
      case LOST -> operation.isRepeatable();
      case ABANDONED, FAILED -> false;
    };
  }

  private static <T> T here(Cell cell, Operation<T> operation) {
    try (Admission admission = cell.admit()) {
      T result = operation.here(cell);
      if (admission.isValid()) {
        return result;
      }
    }
    if (operation.isRepeatable()) {
      throw new MovedException(cell.number());
    }
    throw new PeerException(
        PeerException.Reason.LOST,
        "this server has lost cell " + cell.number() + " during the operation",
        null);
  }
}
