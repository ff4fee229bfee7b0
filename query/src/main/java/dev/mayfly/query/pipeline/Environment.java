package dev.mayfly.query.pipeline;

import dev.mayfly.query.Collation;
import dev.mayfly.query.expression.Scope;
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
    Collections collections,
    Scope scope,
    Workspace workspace,
    Collation collation,
    RandomGenerator random) {}
