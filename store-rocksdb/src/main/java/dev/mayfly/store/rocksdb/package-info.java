/**
 * Store on RocksDB: the embedded default, for one machine.
 *
 * <p>Start at {@link dev.mayfly.store.rocksdb.RocksStore#open}. A space is a column family, a shard
 * is a prefix of four bytes before every key, a batch is one record of the log. {@code
 * docs/formats/rocksdb.md} specifies the bytes on disk; {@code
 * docs/decisions/0002-compaction-filter-through-ffm.md} explains the compaction filter.
 *
 * <p>Depends on {@code dev.mayfly.store} and RocksDB's Java binding. Everything public is safe for
 * use by many threads. Native objects are never used after they were freed: every user has entered
 * a {@link dev.mayfly.store.rocksdb.CloseGuard}, which is closed before they are freed. Calls into
 * RocksDB block the carrier of a virtual thread; the only long one in a write, the flush of the log
 * to disk, is made by one thread for all waiters.
 */
@NullMarked
package dev.mayfly.store.rocksdb;

import org.jspecify.annotations.NullMarked;
