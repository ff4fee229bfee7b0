/**
 * Aggregation pipelines: documents pass through stages that filter, reshape, group or join them.
 *
 * <p>{@link dev.mayfly.mql.pipeline.Pipeline} is a list of {@link dev.mayfly.mql.pipeline.Stage}s.
 * The names that it reads are resolved first ({@link dev.mayfly.mql.pipeline.ResolvedNames}). Its
 * {@link dev.mayfly.mql.pipeline.Execution} in an {@link dev.mayfly.mql.pipeline.Environment}
 * returns {@link dev.mayfly.mql.rows.Rows}, computed on demand. {@link
 * dev.mayfly.mql.pipeline.PipelineSource} is the only access to collections; the doors implement
 * it. A blocking stage (sort, group, window) keeps documents in a {@link
 * dev.mayfly.query.sort.Workspace}: in memory up to a limit, then in temporary files if these are
 * allowed.
 *
 * <p>Pipelines and stages are immutable and may be shared; rows belong to one thread at a time and
 * must be closed. Depends on {@code dev.mayfly.value}, {@code dev.mayfly.query} and the other
 * packages of {@code dev.mayfly.mql}. Temporary files are the only input and output; nothing here
 * reads the clock.
 */
@NullMarked
package dev.mayfly.mql.pipeline;

import org.jspecify.annotations.NullMarked;
