/**
 * The store on Apache Cassandra: a cell, which is everything that one engine stores, as a log and
 * leaves in Cassandra and a memtable in this process.
 *
 * <p>Start at {@link dev.mayfly.store.cassandra.CellStore}. A commit writes one log entry and moves
 * the row of the cell by Paxos ({@link dev.mayfly.store.cassandra.Committer}); {@link
 * dev.mayfly.store.cassandra.Checkpoint} writes the memtable to leaves later. The tables are in
 * {@link dev.mayfly.store.cassandra.Tables}.
 */
@NullMarked
package dev.mayfly.store.cassandra;

import org.jspecify.annotations.NullMarked;
