/**
 * Contract of an ordered, sharded map from bytes to bytes whose only write is an atomic, fenced
 * batch; and a store in memory.
 *
 * <p>Start at {@link dev.mayfly.store.Store}: {@code own} a shard, {@code commit} a {@link
 * dev.mayfly.store.Batch} to it, read it or a snapshot of it, scan a {@link
 * dev.mayfly.store.Range}. The store does not know conditions, versions or uniqueness: a shard has
 * one owner at a time, and the owner decides before it commits.
 *
 * <p>The package handles bytes only and has no dependencies. {@code Store}, {@code Shard} and
 * {@code Snapshot} are safe for use by many threads; {@code Scan} and {@code Batch} belong to one
 * thread at a time. {@code StoreContract} in the test jar tests the contract for all stores; a new
 * store is complete when it passes.
 */
@NullMarked
package dev.mayfly.store;

import org.jspecify.annotations.NullMarked;
