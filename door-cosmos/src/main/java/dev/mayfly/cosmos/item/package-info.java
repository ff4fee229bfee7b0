/**
 * Endpoints of items, single and in batches; partition keys and their hashes.
 *
 * <p>Uses {@code container} and {@code rest}. Each endpoint is a class; {@link
 * dev.mayfly.cosmos.item.ItemForm} formats a stored document for clients. Safe for many threads.
 */
@NullMarked
package dev.mayfly.cosmos.item;

import org.jspecify.annotations.NullMarked;
