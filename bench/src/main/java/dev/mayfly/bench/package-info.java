/**
 * Benchmarks for all performance claims. Each compares with raw RocksDB on the same bytes in the
 * same run: machines are noisy, and only ratios are portable.
 *
 * <p>Entry point: {@link dev.mayfly.bench.Bench}; {@code docs/performance.md} contains commands and
 * results. May use all modules.
 */
@NullMarked
package dev.mayfly.bench;

import org.jspecify.annotations.NullMarked;
