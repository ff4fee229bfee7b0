/**
 * What the door keeps with a collection beyond what the engine knows: options, views, validators
 * and the descriptions of indexes, and how they become specs of the engine.
 *
 * <p>Start at {@link dev.mayfly.mongo.collection.Namespaces}, which finds collections and views by
 * name. {@link dev.mayfly.mongo.collection.Indexes} is the one place where descriptions of indexes
 * and the indexes and rules of the engine are kept in step. Uses the language and the frame of
 * commands; families of commands use it. All types are immutable or safe for many threads.
 */
@NullMarked
package dev.mayfly.mongo.collection;

import org.jspecify.annotations.NullMarked;
