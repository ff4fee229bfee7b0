/**
 * Event loop helpers that all doors share.
 *
 * <p>{@link dev.mayfly.net.ByteBudget} bounds the bytes in flight of all connections of a server;
 * {@link dev.mayfly.net.AdaptiveSpin} decides how long a loop spins before it blocks. Depends on
 * the JDK alone. A budget is safe for many threads; a spin belongs to one loop.
 */
@NullMarked
package dev.mayfly.net;

import org.jspecify.annotations.NullMarked;
