/**
 * Projections of {@code find} and {@code findAndModify}.
 *
 * <p>{@link dev.mayfly.mql.projection.Projection} is the entry. It combines a shape of {@code
 * dev.mayfly.mql.pipeline} with the array operators of queries: {@linkplain
 * dev.mayfly.mql.projection.Slice slices}, the {@linkplain
 * dev.mayfly.mql.projection.ElemMatchProjection first element} that matches a filter, and the
 * {@linkplain dev.mayfly.mql.projection.PositionalProjection element} that matched the query.
 *
 * <p>A projection keeps cursors and belongs to one thread at a time.
 */
@NullMarked
package dev.mayfly.mql.projection;

import org.jspecify.annotations.NullMarked;
