/**
 * Reads and writes of the documents of a collection by one operation.
 *
 * <p>Start at {@link dev.mayfly.mongo.access.CollectionOperations}. Commands use it instead of the
 * engine's collections, so their code is the same inside and outside a transaction.
 */
@NullMarked
package dev.mayfly.mongo.access;

import org.jspecify.annotations.NullMarked;
