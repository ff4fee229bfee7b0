package dev.mayfly.mongo.command;

import dev.mayfly.mql.CommandException;
import dev.mayfly.value.DocumentWriter;

/**
 * One command of the protocol. All connections share an instance: its state is that of the server
 * or engine it was constructed with; state of one call is in the request.
 */
@FunctionalInterface
public interface Command {
  /**
   * Runs the command and writes the fields of the reply, without {@code ok} and the cluster time,
   * which every reply gets.
   *
   * @throws CommandException if the command fails; the reply is discarded then
   */
  void run(Request request, DocumentWriter reply);
}
