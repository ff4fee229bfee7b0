package dev.mayfly.engine.shard;

import dev.mayfly.engine.storage.ByteBuilder;
import dev.mayfly.engine.storage.ByteCursor;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Space;

/**
 * How much of what was swept from a shard the store has not given back yet, in bytes of documents.
 * It is stored with every slice of the sweep, so that a restart does not forget it, and reduced by
 * what compactions have dropped. Changed under the shard's lock; safe to read for many threads.
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

  /** Adds to a batch what is owed once documents of so many bytes are swept by it. */
  public long add(Batch batch, long swept) {
    return put(batch, bytes + swept);
  }

  /** Notes what {@link #add} has returned, once its batch is committed. */
  public void committed(long owed) {
    bytes = owed;
  }

  /** Notes that the store has given back the space of documents of so many bytes. */
  public void paid(long amount) {
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
