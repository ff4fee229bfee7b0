/**
 * The server process: an engine, both doors and the admin API, opened and closed together.
 *
 * <p>Entry point: {@link dev.mayfly.server.Server}. May use every other package of Mayfly except
 * {@code dev.mayfly.cli}; used by the command line, {@code testkit} and {@code bench}. Safe for
 * many threads.
 */
@NullMarked
package dev.mayfly.server;

import org.jspecify.annotations.NullMarked;
