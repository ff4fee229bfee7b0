/**
 * What all commands share: request, running operation, read and write concern, errors.
 *
 * <p>Start at {@link dev.mayfly.mongo.command.Command}. Uses the engine API and the value model;
 * independent of single commands and of the wire protocol.
 */
@NullMarked
package dev.mayfly.mongo.command;

import org.jspecify.annotations.NullMarked;
