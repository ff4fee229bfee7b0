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
 * What open transactions have written in a shard and not committed yet: the documents and the
 * unique keys that nobody else may touch meanwhile. Guarded by the shard's lock.
 */
public final class TransactionLocks {
  /** How long somebody waits without asking whether it is to stop. */
  private static final long SLICE_NANOS = 50_000_000;

  private final Map<ByteKey, Transaction> documents = new HashMap<>();
  private final Map<ByteKey, Transaction> uniqueKeys = new HashMap<>();

  /** What each transaction holds: it is let go without a look at what others hold. */
  private final Map<Transaction, List<Runnable>> byHolder = new HashMap<>();

  private final Condition released;
  private long releases;

  TransactionLocks(ShardLock lock) {
    this.released = lock.newCondition();
  }

  /** Refuses what another holds. */
  public interface Guard {
    /** Refuses nothing. */
    Guard NONE =
        new Guard() {
          @Override
          public void checkDocument(byte[] primaryKey) {}

          @Override
          public void checkUniqueKey(byte[] entryKey) {}
        };

    /** Throws WRITE_CONFLICT when another transaction holds the document. */
    void checkDocument(byte[] primaryKey);

    /** Throws WRITE_CONFLICT when another transaction holds the key. */
    void checkUniqueKey(byte[] entryKey);
  }

  /**
   * The guard for somebody's writes.
   *
   * @param own the transaction they are of; null for writes outside of any
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
      throw new EngineException(Reason.WRITE_CONFLICT, "a transaction that is open holds it");
    }
  }

  boolean isEmpty() {
    return documents.isEmpty() && uniqueKeys.isEmpty();
  }

  /** Takes a document; true when the transaction did not hold it before. */
  public boolean holdDocument(byte[] primaryKey, Transaction holder) {
    return hold(documents, primaryKey, holder);
  }

  /** Takes a unique key; true when the transaction did not hold it before. */
  public boolean holdUniqueKey(byte[] entryKey, Transaction holder) {
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

  /** Lets go of all that a transaction holds. */
  public void release(Transaction holder) {
    List<Runnable> own = byHolder.remove(holder);
    if (own != null) {
      own.forEach(Runnable::run);
    }
    releases++;
    released.signalAll();
  }

  /**
   * Waits until somebody lets go; false when that takes longer than so many nanoseconds.
   *
   * @param check called now and then; what it throws ends the wait
   */
  boolean awaitRelease(long nanos, Runnable check) {
    long seen = releases;
    long left = nanos;
    try {
      while (releases == seen && left > 0) {
        check.run();
        long slice = Math.min(left, SLICE_NANOS);
        left -= slice - Math.max(released.awaitNanos(slice), 0);
      }
      return releases != seen;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
