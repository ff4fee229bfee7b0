/**
 * Commands that make, change, list and measure databases, collections, views and indexes, one file
 * each.
 *
 * <p>A command reads its fields, lets {@code collection} turn them into a change of a spec, and
 * asks the engine for that change once; {@link dev.mayfly.mongo.schema.GuardedAlter} is where a
 * change meets the guard against expiring too much. Depends on {@code collection}, {@code command}
 * and the engine. Commands are immutable and shared by all connections.
 */
@NullMarked
package dev.mayfly.mongo.schema;

import org.jspecify.annotations.NullMarked;
