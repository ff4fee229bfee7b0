/**
 * Values computed from documents: trees of expressions, the functions at their nodes, and what
 * gathers the values of many documents into one.
 *
 * <p>Entry points: {@link dev.mayfly.mql.expression.Expression} is a node of the tree, {@link
 * dev.mayfly.mql.expression.Scope} what it is evaluated in, {@link dev.mayfly.mql.expression.Call}
 * applies a function. The functions themselves are static methods on values, one file per family,
 * and know nothing of the syntax they are called from; how a call treats null, missing and failures
 * is the {@link dev.mayfly.mql.expression.Call.Policy} of the language.
 *
 * <p>Trees are immutable and safe for any number of threads; a scope and an accumulator belong to
 * one thread at a time. Values are views of bytes: a path hands out a part of the document, it does
 * not decode it. Depends on {@code dev.mayfly.value} and {@code dev.mayfly.query}; asks no clock.
 */
@NullMarked
package dev.mayfly.mql.expression;

import org.jspecify.annotations.NullMarked;
