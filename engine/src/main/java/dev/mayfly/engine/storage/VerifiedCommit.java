package dev.mayfly.engine.storage;

import dev.mayfly.engine.EngineException;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import dev.mayfly.store.StoreException;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Commit whose outcome is verified after a failure. An error such as lack of memory may occur
 * before or after the store has written the batch, so the store is read to find out.
 */
public final class VerifiedCommit {
  private VerifiedCommit() {}

  /**
   * Commits a batch. The caller prevents other writes to the shard.
   *
   * @param batch its last put stores a key and value that were not stored before
   * @param commit commits the batch, perhaps with those of other shards
   * @return the ticket to wait for the disk with; empty if the store would have to wait
   * @throws EngineException FAILED if an error prevented the write, OUTCOME_UNKNOWN if the store
   *     cannot be read either
   */
  public static OptionalLong of(Shard shard, Batch batch, Supplier<OptionalLong> commit) {
    try {
      return commit.get();
    } catch (RuntimeException | Error failure) {
      if (isStored(shard, batch, failure)) {
        return OptionalLong.of(shard.commit(new Batch()));
      }
      if (failure instanceof RuntimeException exception) {
        throw exception;
      }
      throw EngineException.failed("an error ended the commit; nothing was written", failure);
    }
  }

  /**
   * Waits until a commit survives a power failure.
   *
   * @throws EngineException OUTCOME_UNKNOWN if the flush fails: the commit is visible and may be
   *     lost
   */
  public static void sync(Shard shard, long ticket) {
    try {
      shard.sync(ticket);
    } catch (StoreException failure) {
      throw unflushed(failure);
    }
  }

  /**
   * Returns whether a commit survives a power failure; does not wait.
   *
   * @throws EngineException as {@link #sync}
   */
  public static boolean trySync(Shard shard, long ticket) {
    try {
      return shard.trySync(ticket);
    } catch (StoreException failure) {
      throw unflushed(failure);
    }
  }

  /**
   * As {@link #trySync}, but the calling thread may flush by itself.
   *
   * @throws EngineException as {@link #sync}
   */
  public static boolean trySyncHere(Shard shard, long ticket) {
    try {
      return shard.trySyncHere(ticket);
    } catch (StoreException failure) {
      throw unflushed(failure);
    }
  }

  private static EngineException unflushed(StoreException failure) {
    return EngineException.unknown(
        "the write is visible, but may be lost in a power failure: the flush to disk failed",
        failure);
  }

  private static boolean isStored(Reader shard, Batch batch, Throwable failure) {
    try {
      Puts counted = new Puts(0);
      batch.replay(counted);
      Puts last = new Puts(counted.seen);
      batch.replay(last);
      byte[] key = last.key;
      return key != null && Arrays.equals(shard.read(last.space, key), last.value);
    } catch (RuntimeException | Error unreadable) {
      failure.addSuppressed(unreadable);
      throw EngineException.unknown("an error ended the commit", failure);
    }
  }

  /** Counts the puts of a batch, and copies one of them. */
  private static final class Puts implements Batch.Visitor {
    private final int wanted;
    private int seen;
    private Space space = Space.META;
    private byte @Nullable [] key;
    private byte[] value = {};

    /**
     * @param wanted the number of the put to copy, from 1
     */
    Puts(int wanted) {
      this.wanted = wanted;
    }

    @Override
    public void put(
        Space to, byte[] buffer, int keyOffset, int keyLength, int valueOffset, int valueLength) {
      seen++;
      if (seen == wanted) {
        space = to;
        key = Arrays.copyOfRange(buffer, keyOffset, keyOffset + keyLength);
        value = Arrays.copyOfRange(buffer, valueOffset, valueOffset + valueLength);
      }
    }

    @Override
    public void delete(Space from, byte[] buffer, int keyOffset, int keyLength) {}

    @Override
    public void deleteRange(
        Space from, byte[] buffer, int fromOffset, int fromLength, int toOffset, int toLength) {}
  }
}
