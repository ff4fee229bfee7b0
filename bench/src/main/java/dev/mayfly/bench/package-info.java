/**
 * Benchmarks for all performance claims. Each compares Mayfly with a baseline in the same run, such
 * as raw RocksDB on the same bytes: machines are noisy, and only ratios are portable.
 *
 * <p>Entry point: {@link dev.mayfly.bench.Bench}; {@code docs/performance.md} contains commands and
 * results. May use all modules.
 */
@NullMarked
package dev.mayfly.bench;

import org.jspecify.annotations.NullMarked;
