/**
 * The log of a server process: writes messages of {@link java.lang.System.Logger} and SLF4J to
 * standard error, as text or JSON.
 *
 * <p>Entry point: {@link dev.mayfly.log.Logs}. The only package that uses SLF4J and Logback;
 * programs that embed Mayfly configure their own log. May use {@code value}. Safe for many threads.
 */
@NullMarked
package dev.mayfly.log;

import org.jspecify.annotations.NullMarked;
