/**
 * Sliding expiry: touches of documents that are in memory and not persisted yet.
 *
 * <p>{@link dev.mayfly.engine.sliding.PendingTouches} holds them for one shard. The owner of the
 * shard persists them. See {@code docs/sliding.md} and decision 0016.
 */
@NullMarked
package dev.mayfly.engine.sliding;

import org.jspecify.annotations.NullMarked;
