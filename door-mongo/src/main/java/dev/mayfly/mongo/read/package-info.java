/**
 * The commands that read documents: find, getMore, killCursors, count, distinct, aggregate,
 * explain.
 *
 * <p>All connections share the command objects. Results are returned in batches by {@link
 * dev.mayfly.mongo.cursor.Cursors}.
 */
@NullMarked
package dev.mayfly.mongo.read;

import org.jspecify.annotations.NullMarked;
