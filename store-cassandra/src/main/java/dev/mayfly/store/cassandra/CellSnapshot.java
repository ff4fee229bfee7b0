package dev.mayfly.store.cassandra;

import dev.mayfly.store.RecordCache;
import dev.mayfly.store.Snapshot;

/** Snapshot of one shard: a memtable, and leaves that no checkpoint has changed since. */
final class CellSnapshot extends CellReader implements Snapshot {
  /** Reads that fill the cache: a long scan of an index must not replace what others use. */
  private static final int MAX_CACHED_READS = 128;

  private final Cell.OpenSnapshot open;
  private final int generation;
  private final Runnable release;

  /** Not exact if several threads read. */
  private int mayKeep;

  private CellSnapshot(
      Cell cell,
      int number,
      Cell.OpenSnapshot open,
      int generation,
      int mayKeep,
      Runnable release) {
    super(cell, number);
    this.open = open;
    this.generation = generation;
    this.mayKeep = mayKeep;
    this.release = release;
  }

  /**
   * Makes a snapshot that is released when it is closed.
   *
   * @param generation of the shard's records in the cache, from before the snapshot was opened
   */
  static CellSnapshot of(Cell cell, int number, Cell.OpenSnapshot open, int generation) {
    return new CellSnapshot(
        cell, number, open, generation, MAX_CACHED_READS, () -> cell.release(open));
  }

  /**
   * Makes a part of a snapshot of all shards. It puts nothing into the cache: a range may have been
   * deleted before it was made.
   */
  static CellSnapshot partOf(Cell cell, int number, Cell.OpenSnapshot open) {
    int generation = RecordCache.generation(cell.records().region(number));
    return new CellSnapshot(cell, number, open, generation, 0, () -> {});
  }

  @Override
  Instant instant() {
    cell().checkOpen();
    return new Instant(open.view(), generation);
  }

  @Override
  void check() {
    open.check();
  }

  @Override
  boolean keeps() {
    return mayKeep > 0 && mayKeep-- > 0;
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
