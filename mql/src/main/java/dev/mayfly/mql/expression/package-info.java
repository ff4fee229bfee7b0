/**
 * Aggregation expressions: trees that compute values from documents.
 *
 * <p>{@link dev.mayfly.mql.expression.Expression} is a node of the tree, {@link
 * dev.mayfly.mql.expression.Scope} the context of its evaluation, {@link
 * dev.mayfly.mql.expression.Call} applies a function. The functions are in {@code
 * dev.mayfly.mql.function}; the {@link dev.mayfly.mql.expression.Call.Policy} of a call decides
 * about null, missing and failures.
 *
 * <p>Trees are immutable and safe for many threads; a scope belongs to one thread at a time. Values
 * are views of bytes: a path returns a part of the document without decoding it. Depends on {@code
 * dev.mayfly.value} and {@code dev.mayfly.query}; nothing here reads the clock.
 */
@NullMarked
package dev.mayfly.mql.expression;

import org.jspecify.annotations.NullMarked;
