/**
 * Server-side cursors: results that are returned in batches, and the registry of open cursors.
 *
 * <p>Start at {@link dev.mayfly.mongo.cursor.Cursors}. The registry is safe for many threads; an
 * open cursor is used by one request at a time.
 */
@NullMarked
package dev.mayfly.mongo.cursor;

import org.jspecify.annotations.NullMarked;
