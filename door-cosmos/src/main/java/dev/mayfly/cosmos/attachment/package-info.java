/**
 * Attachments of items and their media, as SDKs of 2014 to 2018 use them.
 *
 * <p>Uses {@code item} to find items, {@code account} for the form of lists and {@code container}
 * for the collection of attachments. Safe for many threads.
 */
@NullMarked
package dev.mayfly.cosmos.attachment;

import org.jspecify.annotations.NullMarked;
