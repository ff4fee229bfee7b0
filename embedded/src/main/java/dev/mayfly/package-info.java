/**
 * Embedded Mayfly: a store, an engine and the system clock. No network.
 *
 * <p>Entry point: {@link dev.mayfly.Mayfly}, which opens an instance in a directory or in memory;
 * {@link dev.mayfly.Tour} is an example. May use {@code engine}, {@code store-rocksdb} and below.
 * All types are safe for many threads.
 */
@NullMarked
package dev.mayfly;

import org.jspecify.annotations.NullMarked;
