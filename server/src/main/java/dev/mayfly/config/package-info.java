/**
 * Settings of a server: one table, and the sources of their values.
 *
 * <p>Entry points: {@link dev.mayfly.config.Settings}, the table, and {@link
 * dev.mayfly.config.Configuration}, which merges command line, environment, file and defaults, in
 * this order. Uses no other package of Mayfly. All types are immutable.
 */
@NullMarked
package dev.mayfly.config;

import org.jspecify.annotations.NullMarked;
