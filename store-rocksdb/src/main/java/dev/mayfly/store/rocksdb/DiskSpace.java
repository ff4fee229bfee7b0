package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Watches whether there is room for more: below the limit that was set on the data, and on the disk
 * beyond a reserve. The reserve is what flushing, compacting and sweeping need to make room again;
 * writers that used it up would leave the store with no way out but a larger disk.
 *
 * <p>Looking asks the system; between looks that found room it is enough that little was written.
 * Safe for many threads.
 */
final class DiskSpace {
  private static final System.Logger LOG = System.getLogger(DiskSpace.class.getName());
  private static final long LOOK_EVERY_BYTES = 4 << 20;

  /** One part in so many must come free beyond what is asked, or writers would come and go. */
  private static final int SLACK = 16;

  private final FileStore disk;
  private final long limit;
  private final long reserve;
  private final LongSupplier held;
  private volatile boolean enough = true;
  private volatile long lookedAt;

  /**
   * Room for the data in a directory.
   *
   * @param held what the data takes now, in files and on its way there
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
   * Whether there is room.
   *
   * @param written how much was written in all, which tells when to look again
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
      tell();
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
      throw new StoreException(Reason.IO, "cannot ask the disk how much is free", failure);
    }
  }

  private void tell() {
    if (enough) {
      LOG.log(System.Logger.Level.INFO, "there is room again: writes are taken");
    } else {
      LOG.log(
          System.Logger.Level.ERROR,
          "no room is left: writes are refused until there is; reads, deletes and sweeps go on");
    }
  }
}
