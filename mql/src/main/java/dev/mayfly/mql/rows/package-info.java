/**
 * Row sources: iterators over documents, computed on demand.
 *
 * <p>{@link dev.mayfly.mql.rows.Rows} is the contract; the other types are the simple operators
 * (map, match, sort, skip and limit). Rows belong to one thread and must be closed.
 */
@NullMarked
package dev.mayfly.mql.rows;

import org.jspecify.annotations.NullMarked;
