/**
 * Which parts of a found document are given out.
 *
 * <p>{@link dev.mayfly.mql.projection.Projection} is the entry; it is put together of a shape of
 * {@code dev.mayfly.query.pipeline} and of what only a query can ask for: {@linkplain
 * dev.mayfly.mql.projection.Slice parts} of arrays, the {@linkplain
 * dev.mayfly.mql.projection.ElemMatchProjection first element} that passes a filter, and the
 * {@linkplain dev.mayfly.mql.projection.PositionalProjection element} by which the document was
 * found.
 *
 * <p>A projection keeps cursors of its own and belongs to one thread at a time.
 */
@NullMarked
package dev.mayfly.mql.projection;

import org.jspecify.annotations.NullMarked;
