package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Watches the room for data: below the configured limit, and on the disk beyond a reserve. Flushes,
 * compactions and sweeps need the reserve to free space; writers that used it up would leave the
 * store unusable until the disk is enlarged.
 *
 * <p>A check is a system call; after a check that found room, the next one happens only after some
 * bytes were written. Safe for many threads.
 */
final class DiskSpace {
  private static final System.Logger LOG = System.getLogger(DiskSpace.class.getName());
  private static final long LOOK_EVERY_BYTES = 4 << 20;

  /**
   * One part in this many must be free beyond the reserve before writes resume, to avoid flapping.
   */
  private static final int SLACK = 16;

  private final FileStore disk;
  private final long limit;
  private final long reserve;
  private final LongSupplier held;
  private volatile boolean enough = true;
  private volatile long lookedAt;

  /**
   * Watches the data in a directory.
   *
   * @param held current size of the data, in files and in memtables
   */
  DiskSpace(Path directory, RocksSettings settings, LongSupplier held) {
    try {
      this.disk = Files.getFileStore(directory);
    } catch (IOException failure) {
      throw new StoreException(Reason.IO, "cannot find the disk of " + directory, failure);
    }
    this.limit = settings.maxBytesOnDisk();
    this.reserve = settings.minBytesFree();
    this.held = held;
  }

  /**
   * Returns whether there is room.
   *
   * @param written total of bytes written, which decides when to check again
   */
  boolean enough(long written) {
    if (!enough || written - lookedAt >= LOOK_EVERY_BYTES) {
      look(written);
    }
    return enough;
  }

  synchronized void look(long written) {
    lookedAt = written;
    boolean found = belowLimit() && beyondReserve();
    if (found != enough) {
      enough = found;
      log();
    }
  }

  private boolean belowLimit() {
    return limit == 0 || held.getAsLong() < (enough ? limit : limit - limit / SLACK);
  }

  private boolean beyondReserve() {
    try {
      return reserve == 0
          || disk.getUsableSpace() >= (enough ? reserve : reserve + reserve / SLACK);
    } catch (IOException failure) {
      throw new StoreException(Reason.IO, "cannot read the free space of the disk", failure);
    }
  }

  /** Returns whether this much is free on the disk beyond the reserve. */
  boolean hasFree(long bytes) {
    try {
      return enough && disk.getUsableSpace() - reserve >= bytes;
    } catch (IOException failure) {
      return false;
    }
  }

  private void log() {
    if (enough) {
      LOG.log(System.Logger.Level.INFO, "disk space recovered: accepting writes");
    } else {
      LOG.log(
          System.Logger.Level.ERROR,
          "disk space exhausted: writes fail until space is free; reads and deletes continue");
    }
  }
}
