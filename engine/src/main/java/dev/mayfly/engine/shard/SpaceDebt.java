package dev.mayfly.engine.shard;

import dev.mayfly.engine.storage.ByteBuilder;
import dev.mayfly.engine.storage.ByteCursor;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Space;

/**
 * Space debt of a shard: bytes of swept documents that the store has not reclaimed yet. It is
 * stored with every slice of the sweep, so that it survives a restart, and reduced by what
 * compactions drop. Changed under the shard's lock; safe to read for many threads.
 */
public final class SpaceDebt {
  private final ShardOwner owner;
  private volatile long bytes;

  public SpaceDebt(ShardOwner owner) {
    this.owner = owner;
    byte[] stored = owner.shard().read(Space.META, Layout.owed());
    this.bytes = stored == null ? 0 : new ByteCursor(stored, 0).varint();
  }

  public long bytes() {
    return bytes;
  }

  /**
   * Adds the debt after the commit of a batch to that batch, and returns it.
   *
   * @param swept bytes of the documents that the batch sweeps
   */
  public long add(Batch batch, long swept) {
    return put(batch, bytes + swept);
  }

  /** Sets the debt after the commit, to the result of {@link #add}. */
  public void committed(long owed) {
    bytes = owed;
  }

  /** Subtracts bytes that the store has reclaimed. */
  public void reduceBy(long amount) {
    assert amount >= 0;
    if (amount == 0) {
      return;
    }
    owner.lock().lock();
    try {
      Batch batch = new Batch();
      long left = put(batch, Math.max(bytes - amount, 0));
      owner.shard().commit(batch);
      bytes = left;
    } finally {
      owner.lock().unlock();
    }
  }

  private static long put(Batch batch, long owed) {
    batch.put(Space.META, Layout.owed(), new ByteBuilder().varint(owed).bytes());
    return owed;
  }
}
