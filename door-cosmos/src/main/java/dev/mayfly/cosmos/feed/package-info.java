/**
 * Items as they come: all of them a page at a time ({@link dev.mayfly.cosmos.feed.ReadFeed}), or
 * those that have changed ({@link dev.mayfly.cosmos.feed.ChangeFeed}).
 *
 * <p>Uses {@code item}, {@code container} and {@code rest}. What a client goes on with is in its
 * hands: nothing is kept here but what saves work. Safe for many threads.
 */
@NullMarked
package dev.mayfly.cosmos.feed;

import org.jspecify.annotations.NullMarked;
