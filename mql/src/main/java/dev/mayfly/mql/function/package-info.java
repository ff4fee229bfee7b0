/**
 * Functions of aggregation expressions: static methods on values, one file per family.
 *
 * <p>They know nothing of the syntax that calls them, and they are safe for many threads.
 */
@NullMarked
package dev.mayfly.mql.function;

import org.jspecify.annotations.NullMarked;
