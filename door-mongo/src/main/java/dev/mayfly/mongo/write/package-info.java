/**
 * The commands that change documents: insert, update, delete, findAndModify, bulkWrite.
 *
 * <p>Each command decodes its statements; {@link dev.mayfly.mongo.write.Updating} and {@link
 * dev.mayfly.mongo.write.Deleting} do them, one document at a time, against whatever {@link
 * dev.mayfly.mongo.access.Documents} the request works on. Shared by all connections.
 */
@NullMarked
package dev.mayfly.mongo.write;

import org.jspecify.annotations.NullMarked;
