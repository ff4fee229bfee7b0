/**
 * Commands that create, change, list and measure databases, collections, views and indexes, one
 * file each.
 *
 * <p>A command parses its fields, translates them with {@code collection} into a change of a {@code
 * CollectionSpec}, and calls the engine once. {@link dev.mayfly.mongo.schema.GuardedAlter} applies
 * changes that can expire documents, with the limit {@code maxExpireNow}. Depends on {@code
 * collection}, {@code command} and the engine. Commands are immutable and shared by all
 * connections.
 */
@NullMarked
package dev.mayfly.mongo.schema;

import org.jspecify.annotations.NullMarked;
