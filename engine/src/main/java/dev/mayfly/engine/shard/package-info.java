/**
 * The owner of a shard: its locks, write path, unique checks, receipts, counts and expiry marks.
 *
 * <p>{@link dev.mayfly.engine.shard.WritePath} decides each {@link
 * dev.mayfly.engine.shard.WriteRequest} in a {@link dev.mayfly.engine.shard.WriteGroup} and commits
 * it as one batch. Groups share the {@link dev.mayfly.engine.shard.ShardLock} and lock the keys
 * that they use ({@code KeyLocks}), so that writers of one collection run concurrently. Everything
 * else takes the lock exclusively. {@code CommittedPositions} keeps the feed without holes for its
 * readers. {@link dev.mayfly.engine.shard.ExpiredEntryFilter} is the compaction filter.
 *
 * <p>"Guarded by the shard's lock" means: read by its holders in either mode, changed by exclusive
 * holders only.
 */
@NullMarked
package dev.mayfly.engine.shard;

import org.jspecify.annotations.NullMarked;
