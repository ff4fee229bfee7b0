/**
 * Attachments of items and the media uploaded to them, as SDKs of 2014 to 2018 know them.
 *
 * <p>Uses {@code item} for the way to an item, {@code account} for the form of lists and {@code
 * container} for the place they are kept in. Safe for many threads.
 */
@NullMarked
package dev.mayfly.cosmos.attachment;

import org.jspecify.annotations.NullMarked;
