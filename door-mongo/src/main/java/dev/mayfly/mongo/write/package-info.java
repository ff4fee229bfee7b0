/**
 * The commands that change documents: insert, update, delete, findAndModify, bulkWrite.
 *
 * <p>Each command parses its statements; {@link dev.mayfly.mongo.write.Inserter}, {@link
 * dev.mayfly.mongo.write.Updater} and {@link dev.mayfly.mongo.write.Deleter} execute them on {@link
 * dev.mayfly.mongo.access.CollectionOperations}. All connections share the command objects.
 */
@NullMarked
package dev.mayfly.mongo.write;

import org.jspecify.annotations.NullMarked;
