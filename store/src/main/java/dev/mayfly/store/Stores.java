package dev.mayfly.store;

/** The stores of the cells of a cluster. Safe for many threads. */
@FunctionalInterface
public interface Stores {
  /**
   * Opens a cell that this server has claimed.
   *
   * @param epoch of the claim. When another server claims the cell, commits fail with FENCED.
   * @param lost called at most once, when the store has found that out; must return at once
   * @throws StoreException FENCED if the cell has another epoch
   */
  Store open(int cell, long epoch, Runnable lost);
}
