/**
 * Pipelines: documents that go through stages, each of which passes on, changes, gathers or joins
 * what it is given.
 *
 * <p>Entry points: {@link dev.mayfly.mql.pipeline.Pipeline} is a list of {@link
 * dev.mayfly.mql.pipeline.Stage}s; running it in an {@link dev.mayfly.mql.pipeline.Environment}
 * gives {@link dev.mayfly.mql.rows.Rows}, which are made as they are asked for. {@link
 * dev.mayfly.mql.pipeline.PipelineSource} is all that a pipeline sees of the world, and the doors
 * provide it. A stage that must see all documents before it gives the first keeps them in a {@link
 * dev.mayfly.query.sort.Workspace}: so many bytes of memory, and then files, when files are
 * allowed.
 *
 * <p>Pipelines and stages are immutable and may be shared; rows belong to one thread at a time and
 * must be closed. Depends on {@code dev.mayfly.value}, {@code dev.mayfly.query} and {@code
 * dev.mayfly.query.expression}; files are the only input and output, and no clock is asked.
 */
@NullMarked
package dev.mayfly.mql.pipeline;

import org.jspecify.annotations.NullMarked;
