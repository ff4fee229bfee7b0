/**
 * The log of a server process: what is said anywhere through {@link java.lang.System.Logger} or
 * SLF4J becomes a line on standard error, for people or for programs.
 *
 * <p>Enter through {@link dev.mayfly.log.Logs}. The only package that knows SLF4J and Logback;
 * those who embed Mayfly have a log of their own, and nothing here is used then. May use values.
 * Safe for many threads.
 */
@NullMarked
package dev.mayfly.log;

import org.jspecify.annotations.NullMarked;
