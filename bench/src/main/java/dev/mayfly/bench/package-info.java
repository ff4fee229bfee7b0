/**
 * Load programs behind every performance claim: each figure beside raw RocksDB doing the same work
 * on the same bytes in the same run, because these machines are noisy and only ratios carry over.
 *
 * <p>Start at {@link dev.mayfly.bench.Bench}; {@code docs/performance.md} has the command and the
 * figures. May use everything.
 */
@NullMarked
package dev.mayfly.bench;

import org.jspecify.annotations.NullMarked;
