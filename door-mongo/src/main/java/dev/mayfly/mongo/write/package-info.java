/**
 * The commands that change documents: insert, update, delete, findAndModify, bulkWrite.
 *
 * <p>Each command decodes its statements; {@link dev.mayfly.mongo.write.Updater} and {@link
 * dev.mayfly.mongo.write.Deleter} do them, one document at a time, against whatever {@link
 * dev.mayfly.mongo.access.CollectionOperations} the request works on. Shared by all connections.
 */
@NullMarked
package dev.mayfly.mongo.write;

import org.jspecify.annotations.NullMarked;
