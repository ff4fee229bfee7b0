package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.Collation;
import dev.mayfly.query.sort.Workspace;
import java.util.random.RandomGenerator;

/**
 * What one run of a pipeline works with.
 *
 * @param scope the variables, with room for those that the pipeline sets
 * @param workspace what each blocking stage may use
 * @param collation how texts compare in orders, groups and joins
 * @param random for what is chosen at random
 */
public record Environment(
    PipelineSource collections,
    Scope scope,
    Workspace workspace,
    Collation collation,
    RandomGenerator random) {}
