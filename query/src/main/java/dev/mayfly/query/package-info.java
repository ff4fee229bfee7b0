/**
 * Queries: filters and sort orders as closed trees, and their evaluation on bytes.
 *
 * <p>{@link dev.mayfly.query.Filter} is the tree that both query languages compile to, {@link
 * dev.mayfly.query.Matcher} evaluates it, {@link dev.mayfly.query.Intervals} derives index bounds,
 * {@link dev.mayfly.query.DocumentComparator} sorts the results. The two languages differ by {@link
 * dev.mayfly.query.Mode}; they share the tree.
 *
 * <p>Trees are immutable and safe for many threads. Compiled objects ({@code Matcher}, {@code
 * Expansion}, {@code DocumentComparator}) own cursors that they reuse for every document, so each
 * belongs to one thread at a time. Depends on {@code dev.mayfly.value}, {@code
 * dev.mayfly.query.geo} and ICU alone; does no input or output and does not read the clock.
 */
@NullMarked
package dev.mayfly.query;

import org.jspecify.annotations.NullMarked;
