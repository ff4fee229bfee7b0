/**
 * What an operator may set: one table of settings, and where their values come from.
 *
 * <p>Enter through {@link dev.mayfly.config.Settings}, the table, and {@link
 * dev.mayfly.config.Configuration}, which looks at the options of the command line, the
 * environment, the file and the standard values, in this order. Knows no other package of Mayfly.
 * Everything here is immutable.
 */
@NullMarked
package dev.mayfly.config;

import org.jspecify.annotations.NullMarked;
