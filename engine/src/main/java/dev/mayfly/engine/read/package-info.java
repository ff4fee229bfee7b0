/**
 * Queries: planner, plans, scans and cursors, and the reader of a feed.
 *
 * <p>{@link dev.mayfly.engine.read.Planner} chooses a {@link dev.mayfly.engine.read.Plan}; {@link
 * dev.mayfly.engine.read.ShardScan} walks one shard by it; {@link
 * dev.mayfly.engine.read.QueryCursor} merges the shards. {@link dev.mayfly.engine.read.SkipScan}
 * finds the next distinct value of an index. A cursor belongs to one thread and takes no lock of
 * writers.
 */
@NullMarked
package dev.mayfly.engine.read;

import org.jspecify.annotations.NullMarked;
