package dev.mayfly.store.cassandra;

import dev.mayfly.store.Snapshot;

/** Snapshot of one shard: a memtable, and leaves that no checkpoint has changed since. */
final class CellSnapshot extends CellReader implements Snapshot {
  private final Cell.OpenSnapshot open;
  private final Runnable release;

  /**
   * @param release called when it is closed
   */
  CellSnapshot(Cell cell, int number, Cell.OpenSnapshot open, Runnable release) {
    super(cell, number);
    this.open = open;
    this.release = release;
  }

  @Override
  Cell.View view() {
    cell().checkOpen();
    return open.view();
  }

  @Override
  void check() {
    open.check();
  }

  @Override
  public boolean consistent() {
    return true;
  }

  @Override
  public void close() {
    release.run();
  }
}
