/**
 * What is asked of documents: filters and orders as closed trees, and their evaluation on bytes.
 *
 * <p>Entry points: {@link dev.mayfly.query.Filter} is the tree that both query languages become,
 * {@link dev.mayfly.query.Matcher} evaluates it, {@link dev.mayfly.query.Intervals} says where in
 * an index its answers lie, {@link dev.mayfly.query.DocumentComparator} orders the results. The two
 * languages differ by {@link dev.mayfly.query.Mode}, not by having two trees.
 *
 * <p>Trees are immutable and safe for any number of threads. What is compiled from a tree ({@code
 * Matcher}, {@code Expansion}, {@code DocumentComparator}) owns cursors that it uses again for
 * every document, so each belongs to one thread at a time. Depends on {@code dev.mayfly.value},
 * {@code dev.mayfly.query.geo} and ICU alone; does no input or output and asks no clock.
 */
@NullMarked
package dev.mayfly.query;

import org.jspecify.annotations.NullMarked;
