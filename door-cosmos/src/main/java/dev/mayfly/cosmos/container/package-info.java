/**
 * Databases and containers: their definitions, their metadata in the engine, and the lookup of a
 * {@link dev.mayfly.cosmos.container.Container} by its address.
 *
 * <p>{@link dev.mayfly.cosmos.container.Containers} is the directory, one per engine. Uses {@code
 * rest}. Safe for many threads.
 */
@NullMarked
package dev.mayfly.cosmos.container;

import org.jspecify.annotations.NullMarked;
