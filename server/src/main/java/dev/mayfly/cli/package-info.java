/**
 * The command line of Mayfly.
 *
 * <p>Entry point: {@link dev.mayfly.cli.Main}. Each command is a class. Only {@code ErrorMessages}
 * turns exceptions into messages. Exit codes: 0 success, 1 failure, 2 invalid command or setting.
 * May use every other package of Mayfly; no package uses it.
 */
@NullMarked
package dev.mayfly.cli;

import org.jspecify.annotations.NullMarked;
