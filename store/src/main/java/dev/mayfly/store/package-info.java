/**
 * The contract of an ordered, sharded map from bytes to bytes whose only write is an atomic, fenced
 * batch, and a store that keeps it in memory.
 *
 * <p>Start at {@link dev.mayfly.store.Store}: {@code own} a shard, {@code commit} a {@link
 * dev.mayfly.store.Batch} to it, read it or a snapshot of it, scan a {@link
 * dev.mayfly.store.Range}. Conditions, versions and uniqueness are not the store's business: a
 * shard has one owner at a time, and the owner decides before it commits.
 *
 * <p>The package knows bytes only and depends on nothing. {@code Store}, {@code Shard} and {@code
 * Snapshot} are safe for use by many threads; {@code Scan} and {@code Batch} belong to one thread
 * at a time. What the interfaces say is tested once for all stores, in {@code StoreContract} of the
 * test jar; a new store is finished when it passes.
 */
@NullMarked
package dev.mayfly.store;

import org.jspecify.annotations.NullMarked;
