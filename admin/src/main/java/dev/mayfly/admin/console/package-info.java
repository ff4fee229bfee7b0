/**
 * Requests of the web console: JSON over HTTP under {@code /_mayfly/}, for browsers that are logged
 * in.
 *
 * <p>Entry point: {@link dev.mayfly.admin.console.ConsoleHandler}, in front of the admin API. May
 * use the engine API, both doors and the admin API. All types are safe for many threads.
 */
@NullMarked
package dev.mayfly.admin.console;

import org.jspecify.annotations.NullMarked;
