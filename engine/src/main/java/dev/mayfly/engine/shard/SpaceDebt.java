package dev.mayfly.engine.shard;

import dev.mayfly.engine.storage.ByteBuilder;
import dev.mayfly.engine.storage.ByteCursor;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Space;

/**
 * Space debt of a shard: bytes of swept documents whose records, or whose index entries, the store
 * has not reclaimed yet. It is stored with every slice of the sweep, so that it survives a restart,
 * and reduced by what compactions drop. Changed under the shard's lock; safe to read for many
 * threads.
 */
public final class SpaceDebt {
  private final ShardOwner owner;
  private volatile Owed owed;

  /**
   * Bytes of swept documents, as documents: without indexes, not compressed.
   *
   * @param records of documents whose records are not reclaimed
   * @param entries of documents whose index entries are not reclaimed
   */
  public record Owed(long records, long entries) {
    static final Owed NOTHING = new Owed(0, 0);

    /** Returns the debt with that of further documents. */
    public Owed plus(long bytes) {
      return new Owed(records + bytes, entries + bytes);
    }

    Owed minus(Owed reclaimed) {
      return new Owed(
          Math.max(records - reclaimed.records, 0), Math.max(entries - reclaimed.entries, 0));
    }

    /** Returns the debt of a space: records or index entries. */
    public long of(Space space) {
      return switch (space) {
        case RECORDS -> records;
        case ENTRIES -> entries;
        case META, QUEUES -> 0;
      };
    }

    public boolean isNothing() {
      return records == 0 && entries == 0;
    }

    private byte[] encode() {
      return new ByteBuilder().varint(records).varint(entries).bytes();
    }

    private static Owed decode(byte[] stored) {
      ByteCursor cursor = new ByteCursor(stored, 0);
      long records = cursor.varint();
      return new Owed(records, cursor.atEnd() ? records : cursor.varint());
    }
  }

  public SpaceDebt(ShardOwner owner) {
    this.owner = owner;
    byte[] stored = owner.shard().read(Space.META, Layout.owed());
    this.owed = stored == null ? Owed.NOTHING : Owed.decode(stored);
  }

  public Owed owed() {
    return owed;
  }

  /**
   * Adds the debt after the commit of a batch to that batch, and returns it.
   *
   * @param swept bytes of the documents that the batch sweeps
   */
  public Owed add(Batch batch, long swept) {
    return put(batch, owed.plus(swept));
  }

  /** Sets the debt after the commit, to the result of {@link #add}. */
  public void committed(Owed next) {
    owed = next;
  }

  /** Subtracts what the store has reclaimed. */
  public void reduceBy(Owed reclaimed) {
    assert reclaimed.records >= 0 && reclaimed.entries >= 0;
    if (reclaimed.isNothing()) {
      return;
    }
    owner.lock().lock();
    try {
      Batch batch = new Batch();
      Owed left = put(batch, owed.minus(reclaimed));
      owner.shard().commit(batch);
      owed = left;
    } finally {
      owner.lock().unlock();
    }
  }

  private static Owed put(Batch batch, Owed owed) {
    batch.put(Space.META, Layout.owed(), owed.encode());
    return owed;
  }
}
