/**
 * The frame that all commands share: what a request says, what a command is, how it fails.
 *
 * <p>Start at {@link dev.mayfly.mongo.command.Command}. Depends on the engine and the value model;
 * knows no single command and nothing of the wire.
 */
@NullMarked
package dev.mayfly.mongo.command;

import org.jspecify.annotations.NullMarked;
