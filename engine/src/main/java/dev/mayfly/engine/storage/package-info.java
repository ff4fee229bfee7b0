/**
 * Stored formats: keys, entries, feed entries, and the commit that verifies its own outcome.
 *
 * <p>{@link dev.mayfly.engine.storage.Layout} defines every key, {@link
 * dev.mayfly.engine.storage.FeedFormat} the entries of a feed. The formats are specified in {@code
 * docs/formats}. Stateless, except for builders and cursors over bytes, which belong to one thread.
 */
@NullMarked
package dev.mayfly.engine.storage;

import org.jspecify.annotations.NullMarked;
