package dev.mayfly.store;

import java.util.Optional;
import java.util.UUID;

/**
 * State of a cell on the {@link Board}.
 *
 * @param epoch number of claims so far
 * @param owner the server that has claimed it, or is to claim it; empty if none
 * @param last number of the last log entry; 0 in a store without a log
 * @param flushed entries up to this number need not be replayed when the cell is opened
 * @param floor no later owner may serve an instant before this one, in milliseconds since the epoch
 */
public record CellState(
    int cell, long epoch, Optional<UUID> owner, long last, long flushed, long floor) {
  /** Returns the log entries that the next owner has to replay. */
  public long lag() {
    return last - flushed;
  }
}
