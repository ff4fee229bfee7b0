package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.rocksdb.RocksDBException;

/**
 * Paces writes while RocksDB delays or stops them because flushes or compactions do not keep up.
 *
 * <p>All writes use {@code no_slowdown}: RocksDB rejects them instead of sleeping inside native
 * code, where it would block the carrier of a virtual thread and, in the worst case, the queue that
 * its recovery from an error needs. But the write controller charges the bytes of every rejected
 * write, so a writer that only retries starves. Therefore one writer at a time tries, after it has
 * waited as long as its bytes take at the rate that RocksDB allows; non-blocking writers do not try
 * at all. Safe for many threads.
 */
final class WriteStall {
  /** The write controller grants its allowance in slices of a millisecond. */
  private static final long SLICE_NANOS = 1_000_000;

  private static final long MAX_PAUSE_NANOS = 100 * SLICE_NANOS;

  /** Two minutes without any flush or compaction: nothing will end this stall. */
  private static final long MAX_IDLE_NANOS = 120_000 * SLICE_NANOS;

  private final LongSupplier ticker;
  private final ReentrantLock turn = new ReentrantLock(true);

  /** Whether RocksDB has rejected a write and is not known to accept writes freely again. */
  private volatile boolean stalled;

  /** The bytes that RocksDB charges to the next write: those of the last one. */
  private volatile int lastBytes;

  /** Bytes that may be written now without a pause. Guarded by the lock. */
  private double allowance;

  /** One attempt to write. */
  interface Attempt {
    /** Returns false if RocksDB has to flush or compact first; nothing was written then. */
    boolean write() throws RocksDBException;
  }

  /** Reads a numeric property of the database. */
  interface Properties {
    long of(String name) throws RocksDBException;
  }

  WriteStall(LongSupplier ticker) {
    this.ticker = ticker;
  }

  /** Writes without waiting; returns false, and writes nothing, if it would have to wait. */
  boolean tryWrite(int bytes, Attempt attempt, Properties properties) throws RocksDBException {
    if (stalled && (turn.isLocked() || slowed(properties))) {
      return false;
    }
    stalled = !attempt.write();
    if (!stalled) {
      lastBytes = bytes;
    }
    return !stalled;
  }

  /** Writes, no faster than RocksDB allows. */
  void write(int bytes, Attempt attempt, Properties properties) throws RocksDBException {
    if (!stalled && tryWrite(bytes, attempt, properties)) {
      return;
    }
    turn.lock();
    try {
      writeInTurn(attempt, properties);
      lastBytes = bytes;
    } finally {
      turn.unlock();
    }
  }

  private void writeInTurn(Attempt attempt, Properties properties) throws RocksDBException {
    pace(lastBytes, properties);
    long idle = 0;
    for (long refusals = 1; !attempt.write(); refusals++) {
      idle = works(properties) ? 0 : idle + SLICE_NANOS;
      if (idle >= MAX_IDLE_NANOS) {
        throw new StoreException(
            Reason.IO,
            "RocksDB has accepted no write for two minutes, and no flush or compaction is running");
      }
      pause(SLICE_NANOS);
      allowance = 0;
      // the rejection was charged as well, possibly for more than is known here
      pace(lastBytes * (1.0 + refusals), properties);
    }
    stalled = slowed(properties);
  }

  /**
   * Waits until this number of bytes may be written; does not wait unless RocksDB delays writes.
   */
  private void pace(double bytes, Properties properties) throws RocksDBException {
    long rate = delayedBytesPerSecond(properties);
    if (rate == 0) {
      return;
    }
    allowance -= bytes;
    while (allowance < 0) {
      double nanos = Math.ceil(-allowance / rate * 1e9);
      allowance += pause((long) Math.min(nanos, MAX_PAUSE_NANOS)) * 1e-9 * rate;
    }
    // allowance that is not used within two slices is not saved for a burst
    allowance = Math.min(allowance, rate * 2e-9 * SLICE_NANOS);
  }

  /** Waits; returns the duration. */
  private long pause(long nanos) {
    long start = ticker.getAsLong();
    LockSupport.parkNanos(nanos);
    return Math.max(nanos, ticker.getAsLong() - start);
  }

  /** Returns whether RocksDB delays or stops writes now. */
  private static boolean slowed(Properties properties) throws RocksDBException {
    return delayedBytesPerSecond(properties) > 0 || properties.of("rocksdb.is-write-stopped") > 0;
  }

  /** Returns the rate that RocksDB allows; 0 if it does not delay writes. */
  private static long delayedBytesPerSecond(Properties properties) throws RocksDBException {
    return properties.of("rocksdb.actual-delayed-write-rate");
  }

  private static boolean works(Properties properties) throws RocksDBException {
    return properties.of("rocksdb.num-running-compactions") > 0
        || properties.of("rocksdb.num-running-flushes") > 0;
  }
}
