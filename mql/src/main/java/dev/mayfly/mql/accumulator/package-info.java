/**
 * Accumulators of {@code $group}, window functions and array expressions.
 *
 * <p>{@link dev.mayfly.mql.accumulator.Accumulator} folds values into one result. An accumulator
 * belongs to one thread.
 */
@NullMarked
package dev.mayfly.mql.accumulator;

import org.jspecify.annotations.NullMarked;
