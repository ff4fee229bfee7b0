/**
 * Feeds of items: all items in pages ({@link dev.mayfly.cosmos.feed.ReadFeed}), the change feed
 * with latest versions ({@link dev.mayfly.cosmos.feed.ChangeFeed}) and with all versions and
 * deletes ({@link dev.mayfly.cosmos.feed.VersionFeed}).
 *
 * <p>Uses {@code item}, {@code container} and {@code rest}. Continuation tokens are complete: the
 * server keeps only caches between pages. Safe for many threads.
 */
@NullMarked
package dev.mayfly.cosmos.feed;

import org.jspecify.annotations.NullMarked;
