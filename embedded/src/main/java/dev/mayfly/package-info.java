/**
 * Mayfly put together: a store, an engine on it, and the real clock.
 *
 * <p>Enter through {@link dev.mayfly.Mayfly}, which opens an instance in a directory or in memory;
 * {@link dev.mayfly.Tour} is the first example of its use. May use every other package of Mayfly
 * and is used by {@code testkit} and {@code bench} alone. The only package that asks the system
 * what time it is. Everything here is safe for many threads.
 */
@NullMarked
package dev.mayfly;

import org.jspecify.annotations.NullMarked;
