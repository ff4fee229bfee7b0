package dev.mayfly.engine.sweep;

import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.shard.WriteGroup;
import dev.mayfly.value.Document;

/**
 * Receiver of expired documents: gets each slice of a sweep before the slice is removed. The change
 * feed is the first sink ({@link FeedSink}). Used by one thread at a time.
 *
 * <p>A slice is begun, filled, and then either delivered or abandoned: the sweep abandons it if a
 * write came between, and begins it again. A slice is delivered before it is committed, so that a
 * sink outside of the store may get a slice twice if the commit fails.
 */
public interface SweepSink {
  /**
   * Begins a slice.
   *
   * @param compiled the collection, with the rules that its documents expired by
   */
  Slice begin(CompiledCollection compiled);

  /** The expired documents of one slice, in the order of their lane. */
  interface Slice {
    /**
     * Returns whether the sink needs the documents. If no sink does, the sweep need not read them:
     * {@link #add} then gets an empty document.
     */
    boolean needsDocuments();

    /**
     * Adds an expired document. A document whose record was lost is empty.
     *
     * @param spelledKey the partition key and id as they were written, see {@code LaneEntry}
     * @param deadline when it expired, in epoch milliseconds
     */
    void add(byte[] primaryKey, byte[] spelledKey, long deadline, Document document);

    /** Returns about how many bytes the slice holds: the sweep ends it when it grows too long. */
    long bytes();

    /**
     * Delivers the slice. The caller holds the shard's lock. What is added to the group is
     * committed in one batch with the removal; if this throws, nothing of the slice is removed.
     */
    void deliver(WriteGroup group);
  }
}
