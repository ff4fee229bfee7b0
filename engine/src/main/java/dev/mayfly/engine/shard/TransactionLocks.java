package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Lock table of one shard: the documents and unique keys that open transactions have written and
 * not committed. Other writers fail with WRITE_CONFLICT. Guarded by the shard's lock.
 */
public final class TransactionLocks {
  /** How long a thread waits between two calls of its interruption check. */
  private static final long SLICE_NANOS = 50_000_000;

  private final Map<ByteKey, Transaction> documents = new HashMap<>();
  private final Map<ByteKey, Transaction> uniqueKeys = new HashMap<>();

  /** Per transaction, the actions that release its locks. */
  private final Map<Transaction, List<Runnable>> byHolder = new HashMap<>();

  private final ShardLock lock;
  private final Condition released;
  private long releases;

  TransactionLocks(ShardLock lock) {
    this.lock = lock;
    this.released = lock.newCondition();
  }

  /** Rejects writes to what another transaction has locked. */
  public interface Guard {
    /** Rejects nothing. */
    Guard NONE =
        new Guard() {
          @Override
          public void checkDocument(byte[] primaryKey) {}

          @Override
          public void checkUniqueKey(byte[] entryKey) {}
        };

    /** Throws WRITE_CONFLICT if another transaction has locked the document. */
    void checkDocument(byte[] primaryKey);

    /** Throws WRITE_CONFLICT if another transaction has locked the key. */
    void checkUniqueKey(byte[] entryKey);
  }

  /**
   * Returns the guard for writes.
   *
   * @param own the transaction of the writes; null outside of transactions
   */
  Guard guard(@Nullable Transaction own) {
    if (isEmpty()) {
      return Guard.NONE;
    }
    return new Guard() {
      @Override
      public void checkDocument(byte[] primaryKey) {
        check(documents, primaryKey, own);
      }

      @Override
      public void checkUniqueKey(byte[] entryKey) {
        check(uniqueKeys, entryKey, own);
      }
    };
  }

  private static void check(Map<ByteKey, Transaction> held, byte[] key, @Nullable Transaction own) {
    Transaction holder = held.get(new ByteKey(key));
    if (holder != null && !holder.equals(own)) {
      throw new EngineException(
          Reason.WRITE_CONFLICT, "another open transaction has locked the document or unique key");
    }
  }

  boolean isEmpty() {
    return documents.isEmpty() && uniqueKeys.isEmpty();
  }

  /** Locks a document; returns true if the transaction did not hold it before. */
  public boolean lockDocument(byte[] primaryKey, Transaction holder) {
    return hold(documents, primaryKey, holder);
  }

  /** Locks a unique key; returns true if the transaction did not hold it before. */
  public boolean lockUniqueKey(byte[] entryKey, Transaction holder) {
    return hold(uniqueKeys, entryKey, holder);
  }

  private boolean hold(Map<ByteKey, Transaction> held, byte[] key, Transaction holder) {
    check(held, key, holder);
    ByteKey name = new ByteKey(key);
    if (held.containsKey(name)) {
      return false;
    }
    byHolder.computeIfAbsent(holder, _ -> new ArrayList<>()).add(() -> held.remove(name));
    held.put(name, holder);
    return true;
  }

  /** Releases all locks of a transaction. */
  public void release(Transaction holder) {
    List<Runnable> own = byHolder.remove(holder);
    if (own != null) {
      own.forEach(Runnable::run);
    }
    releases++;
    released.signalAll();
  }

  /**
   * Waits until a transaction releases its locks; returns false on timeout.
   *
   * @param check called repeatedly; an exception from it ends the wait
   */
  boolean awaitRelease(long nanos, Runnable check) {
    long seen = releases;
    long left = nanos;
    try {
      while (releases == seen && left > 0) {
        check.run();
        long slice = Math.min(left, SLICE_NANOS);
        left -= slice - Math.max(lock.await(released, slice), 0);
      }
      return releases != seen;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
