package dev.mayfly.cluster;

/** Observer of the cells of this server. Its methods must not call {@link Cells}. */
public interface CellObserver {
  /** Called when a cell has been opened, before its first operation is admitted. */
  void opened(Cell cell);

  /**
   * Called when a cell is handed over or lost, after its last operation has ended or failed, before
   * its engine is closed.
   */
  void closing(Cell cell);
}
