/**
 * MongoDB's query language (MQL): errors that its parsers and operators fail with.
 *
 * <p>{@link dev.mayfly.mql.CommandException} carries a MongoDB {@link dev.mayfly.mql.ErrorCode}.
 * {@code parser} reads BSON, {@code expression}, {@code function} and {@code accumulator} evaluate
 * expressions, {@code update} and {@code projection} change and shape documents, {@code rows} and
 * {@code pipeline} run aggregation pipelines. Depends on {@code dev.mayfly.value} and {@code
 * dev.mayfly.query}; knows no engine, no network and no clock.
 */
@NullMarked
package dev.mayfly.mql;

import org.jspecify.annotations.NullMarked;
