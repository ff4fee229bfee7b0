package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.rocksdb.RocksDBException;

/**
 * Paces writes while RocksDB delays or stops them because flushes or compactions lag behind.
 *
 * <p>All writes are made with {@code no_slowdown}: RocksDB refuses them instead of sleeping inside
 * native code, where it would hold the carrier of a virtual thread and, in the worst case, the
 * queue that its recovery from an error needs. But every refusal of the write controller books the
 * bytes it has refused, so a writer that only tries again starves. Therefore one writer at a time
 * tries, after it has waited as long as its bytes take at the rate that RocksDB allows; those who
 * must not wait do not try at all. Safe for many threads.
 */
final class WriteStall {
  /** The write controller hands out its allowance in slices of a millisecond. */
  private static final long SLICE_NANOS = 1_000_000;

  private static final long MAX_PAUSE_NANOS = 100 * SLICE_NANOS;

  /** Two minutes without any flush or compaction: nothing is going to end this stall. */
  private static final long MAX_IDLE_NANOS = 120_000 * SLICE_NANOS;

  private final LongSupplier ticker;
  private final ReentrantLock turn = new ReentrantLock(true);

  /** Whether RocksDB has refused a write and is not known to take writes freely again. */
  private volatile boolean stalled;

  /** The bytes that RocksDB charges the next write for: those of the last one. */
  private volatile int lastBytes;

  /** Bytes that may be written now without a pause. Guarded by the lock. */
  private double allowance;

  /** One attempt to write. */
  interface Attempt {
    /** Returns false when RocksDB has to flush or compact first; nothing was written then. */
    boolean write() throws RocksDBException;
  }

  /** Reads a property of the database that is a number. */
  interface Properties {
    long of(String name) throws RocksDBException;
  }

  WriteStall(LongSupplier ticker) {
    this.ticker = ticker;
  }

  /** Writes without waiting; false when it would have to wait, and nothing was written. */
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
            Reason.IO, "RocksDB has had no room for a write for two minutes, and does nothing");
      }
      pause(SLICE_NANOS);
      allowance = 0;
      // the refusal was charged as well, perhaps for more than is known here
      pace(lastBytes * (1.0 + refusals), properties);
    }
    stalled = slowed(properties);
  }

  /** Waits until so many bytes may be written; not at all unless RocksDB delays writes. */
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
    // what is not used within a slice or two is not saved up for a burst
    allowance = Math.min(allowance, rate * 2e-9 * SLICE_NANOS);
  }

  /** Waits; returns how long that took. */
  private long pause(long nanos) {
    long start = ticker.getAsLong();
    LockSupport.parkNanos(nanos);
    return Math.max(nanos, ticker.getAsLong() - start);
  }

  /** Whether RocksDB delays or stops writes now. */
  private static boolean slowed(Properties properties) throws RocksDBException {
    return delayedBytesPerSecond(properties) > 0 || properties.of("rocksdb.is-write-stopped") > 0;
  }

  /** The rate that RocksDB allows; 0 when it does not delay writes. */
  private static long delayedBytesPerSecond(Properties properties) throws RocksDBException {
    return properties.of("rocksdb.actual-delayed-write-rate");
  }

  private static boolean works(Properties properties) throws RocksDBException {
    return properties.of("rocksdb.num-running-compactions") > 0
        || properties.of("rocksdb.num-running-flushes") > 0;
  }
}
