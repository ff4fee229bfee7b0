/**
 * The store on RocksDB: the embedded default, for one machine.
 *
 * <p>Start at {@link dev.mayfly.store.rocksdb.RocksStore#open}. A space is a column family, a shard
 * is a prefix of four bytes in front of every key, a batch is one record of the log. The bytes on
 * disk are specified in {@code docs/formats/rocksdb.md}; the filter that drops the dead while
 * RocksDB compacts is explained in {@code docs/decisions/0002-compaction-filter-through-ffm.md}.
 *
 * <p>Depends on {@code dev.mayfly.store} and RocksDB's Java binding. Everything public is safe for
 * use by many threads. Native objects are never touched after they were freed: whoever uses one is
 * inside a {@link dev.mayfly.store.rocksdb.CloseGuard}, and whoever frees it has closed the gate
 * before. Calls into RocksDB hold the carrier of a virtual thread; the only long one on the way of
 * a write, the flush of the log to disk, is made by one thread for all that wait for it.
 */
@NullMarked
package dev.mayfly.store.rocksdb;

import org.jspecify.annotations.NullMarked;
