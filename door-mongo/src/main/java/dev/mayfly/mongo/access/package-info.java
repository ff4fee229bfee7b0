/**
 * The documents of a collection as one operation of a client sees and changes them.
 *
 * <p>Start at {@link dev.mayfly.mongo.access.CollectionOperations}. Commands use this and not the
 * engine's collections, so that they need not know whether they run in a transaction.
 */
@NullMarked
package dev.mayfly.mongo.access;

import org.jspecify.annotations.NullMarked;
