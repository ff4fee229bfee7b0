/**
 * External merge sort.
 *
 * <p>{@link dev.mayfly.query.sort.Sorter} sorts documents by byte keys within the memory of a
 * {@link dev.mayfly.query.sort.Workspace}, and spills sorted runs to files where the workspace
 * allows it. Used by the engine and by both query languages. A sorter belongs to one thread.
 */
@NullMarked
package dev.mayfly.query.sort;

import org.jspecify.annotations.NullMarked;
