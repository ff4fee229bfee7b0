/**
 * The commands that read documents: find, getMore, killCursors, count, distinct, aggregate,
 * explain.
 *
 * <p>Shared by all connections. Results go out through {@link dev.mayfly.mongo.cursor.Cursors}.
 */
@NullMarked
package dev.mayfly.mongo.read;

import org.jspecify.annotations.NullMarked;
