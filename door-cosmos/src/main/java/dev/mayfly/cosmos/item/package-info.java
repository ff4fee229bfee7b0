/**
 * Items: what clients write and read, one at a time or in batches, and how a partition key is
 * spelled, checked and hashed.
 *
 * <p>Uses {@code container} and {@code rest}. An endpoint is a class of its own; {@link
 * dev.mayfly.cosmos.item.ItemForm} is how a stored document looks to a client. Safe for many
 * threads.
 */
@NullMarked
package dev.mayfly.cosmos.item;

import org.jspecify.annotations.NullMarked;
