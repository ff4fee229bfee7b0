/**
 * Parsers of aggregation stages, one file per family of stages.
 *
 * <p>Enter through {@link dev.mayfly.mql.parser.pipeline.PipelineParser}.
 */
@NullMarked
package dev.mayfly.mql.parser.pipeline;

import org.jspecify.annotations.NullMarked;
