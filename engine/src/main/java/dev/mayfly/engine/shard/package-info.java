/**
 * The owner of a shard: its lock, write queue, unique checks, receipts, counts and expiry marks.
 *
 * <p>{@link dev.mayfly.engine.shard.WriteQueue} takes {@link
 * dev.mayfly.engine.shard.WriteRequest}s. The thread that holds the {@link
 * dev.mayfly.engine.shard.ShardLock} decides the waiting requests in one {@link
 * dev.mayfly.engine.shard.WriteGroup} and commits them as one batch. {@link
 * dev.mayfly.engine.shard.ExpiredEntryFilter} is the compaction filter. State is guarded by the
 * lock of the shard unless a type specifies otherwise.
 */
@NullMarked
package dev.mayfly.engine.shard;

import org.jspecify.annotations.NullMarked;
