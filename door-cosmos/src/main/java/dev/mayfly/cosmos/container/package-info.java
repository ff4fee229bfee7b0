/**
 * Databases and containers: what clients define, what the engine keeps, and the way from an address
 * to a {@link dev.mayfly.cosmos.container.Container}.
 *
 * <p>Uses {@code rest}. Safe for many threads.
 */
@NullMarked
package dev.mayfly.cosmos.container;

import org.jspecify.annotations.NullMarked;
