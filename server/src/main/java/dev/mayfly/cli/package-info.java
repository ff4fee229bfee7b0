/**
 * The command line of Mayfly.
 *
 * <p>Enter through {@link dev.mayfly.cli.Main}; each command is a class of its own. Failures become
 * sentences in {@code ErrorMessages} alone. Exit codes: 0 done, 1 failed, 2 the command or a
 * setting makes no sense. May use every other package of Mayfly; nobody uses it.
 */
@NullMarked
package dev.mayfly.cli;

import org.jspecify.annotations.NullMarked;
