package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Gives RocksDB full-sized logs to overwrite. RocksDB recycles only logs that it has filled since
 * it was opened, so for the first few hundred megabytes every flush would append, which takes twice
 * as long.
 *
 * <p>After a number of flushes a thread fills the current log with notes that RocksDB skips and
 * lets it begin the next one, once for each log to be recycled. A store that is used for a short
 * time only is not worth it.
 */
final class LogFiller {
  private static final System.Logger LOG = System.getLogger(LogFiller.class.getName());
  private static final int FLUSHES = 256;
  private static final int ATTEMPTS = Tuning.RECYCLED_LOGS + 1;
  private static final int NOTE_BYTES = 256 << 10;

  /** Leaves the disk to commits between two notes. */
  private static final long PAUSE_NANOS = 500_000;

  private static final long POLL_NANOS = 2_000_000;
  private static final int MAX_POLLS = 5_000;

  private final Path directory;
  private final Columns columns;
  private final WriteOptions options;
  private final CloseGuard closeGuard;
  private final LongSupplier flushedSequence;
  private final BooleanSupplier hasRoom;
  private final long logBytes;
  private final AtomicInteger flushes = new AtomicInteger();

  /**
   * @param flushedSequence the sequence number through which the log is on disk
   * @param hasRoom whether the disk has room for full logs
   * @param logBytes size of a full log
   */
  LogFiller(
      Path directory,
      Columns columns,
      WriteOptions options,
      CloseGuard closeGuard,
      LongSupplier flushedSequence,
      BooleanSupplier hasRoom,
      long logBytes) {
    this.directory = directory;
    this.columns = columns;
    this.options = options;
    this.closeGuard = closeGuard;
    this.flushedSequence = flushedSequence;
    this.hasRoom = hasRoom;
    this.logBytes = logBytes;
  }

  /** Reports a flush. */
  void flushed() {
    if (flushes.get() < FLUSHES && flushes.incrementAndGet() == FLUSHES && hasRoom.getAsBoolean()) {
      Thread.ofPlatform().daemon().name("mayfly-fill-logs").start(this::fillAll);
    }
  }

  private void fillAll() {
    try {
      for (int i = 0; i < ATTEMPTS && Logs.newestBytes(directory) < logBytes; i++) {
        for (long written = 0; written < logBytes; written += NOTE_BYTES) {
          guarded(this::fill);
          LockSupport.parkNanos(this, PAUSE_NANOS);
        }
        guarded(this::beginNextLog);
        awaitFiles();
      }
    } catch (StoreException closed) {
      // a store that is closed needs no logs
    } catch (RocksDBException | IOException e) {
      // flushes only take longer
      LOG.log(System.Logger.Level.DEBUG, "the logs were not filled", e);
    }
  }

  private interface Step {
    boolean run(RocksDB database) throws RocksDBException;
  }

  private boolean guarded(Step step) throws RocksDBException {
    long stamp = closeGuard.enter();
    try {
      return step.run(columns.database());
    } finally {
      closeGuard.exit(stamp);
    }
  }

  private boolean fill(RocksDB database) throws RocksDBException {
    try (WriteBatch notes = new WriteBatch()) {
      notes.putLogData(FlushNote.payload(flushedSequence.getAsLong()));
      notes.putLogData(new byte[NOTE_BYTES]);
      database.write(options, notes);
    }
    // by this thread, so that no commit has to wait for much of it
    database.syncWal();
    return true;
  }

  /**
   * Lets the memtables be written to files: a log ends when one is, and is recycled when all are
   * that it contains.
   */
  private boolean beginNextLog(RocksDB database) throws RocksDBException {
    try (WriteBatch write = new WriteBatch();
        FlushOptions begins = new FlushOptions().setWaitForFlush(false)) {
      // so that there is something to write
      write.putLogData(FlushNote.payload(flushedSequence.getAsLong()));
      write.delete(columns.internal(), RocksStore.PROBE);
      database.write(options, write);
      List<ColumnFamilyHandle> families = new ArrayList<>(columns.all());
      families.add(columns.internal());
      database.flush(begins, families);
      return true;
    }
  }

  private void awaitFiles() throws RocksDBException {
    for (int i = 0; i < MAX_POLLS && guarded(LogFiller::isWritingFiles); i++) {
      LockSupport.parkNanos(this, POLL_NANOS);
    }
  }

  private static boolean isWritingFiles(RocksDB database) throws RocksDBException {
    return database.getAggregatedLongProperty("rocksdb.num-immutable-mem-table") > 0;
  }
}
