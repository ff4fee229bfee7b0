package dev.mayfly.engine.sweep;

import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.shard.WriteGroup;
import dev.mayfly.value.Document;

/**
 * Receiver of expired documents: it receives each slice of a sweep before the slice is removed. The
 * change feed is the first sink ({@link FeedSink}). Used by one thread at a time.
 *
 * <p>The sweep begins a slice, adds documents, and then delivers or abandons it. It abandons a
 * slice if a write has conflicted, and begins again. A slice is delivered before it is committed,
 * so a sink outside of the store may receive a slice twice if the commit fails.
 */
public interface SweepSink {
  /**
   * Begins a slice.
   *
   * @param compiled the collection
   */
  Slice begin(CompiledCollection compiled);

  /** The expired documents of one slice, in the order of their lane. */
  interface Slice {
    /**
     * Returns whether the sink needs the documents. If no sink does, the sweep may omit the read:
     * {@link #add} then receives an empty document.
     */
    boolean needsDocuments();

    /**
     * Adds an expired document. A document whose record was lost is empty.
     *
     * @param spelledKey the partition key and id with exact types, see {@code LaneEntry}
     * @param deadline when it expired, in epoch milliseconds
     */
    void add(byte[] primaryKey, byte[] spelledKey, long deadline, Document document);

    /**
     * Returns the approximate size of the slice in bytes: the sweep ends a slice that is too large.
     */
    long bytes();

    /**
     * Delivers the slice. The caller holds the shard's lock. Operations added to the group are
     * committed in one batch with the removal. After an exception, nothing of the slice is removed.
     */
    void deliver(WriteGroup group);
  }
}
