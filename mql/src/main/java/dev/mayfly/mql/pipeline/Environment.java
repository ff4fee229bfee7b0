package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.Collation;
import dev.mayfly.query.sort.Workspace;
import java.util.random.RandomGenerator;

/**
 * Resources of one run of a pipeline.
 *
 * @param names the collections and views that the pipeline reads
 * @param scope the variables, with slots for those that the pipeline sets
 * @param workspace memory and files for each blocking stage
 * @param collation how strings compare in sorts, groups and joins
 * @param random for {@code $sample} and {@code $rand}
 */
public record Environment(
    PipelineSource collections,
    ResolvedNames names,
    Scope scope,
    Workspace workspace,
    Collation collation,
    RandomGenerator random) {}
