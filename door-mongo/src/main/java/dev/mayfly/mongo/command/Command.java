package dev.mayfly.mongo.command;

import dev.mayfly.mql.CommandException;
import dev.mayfly.value.DocumentWriter;

/**
 * One command of the protocol. An instance is shared by all connections: what it needs it was given
 * when it was made, what belongs to one call is in the request.
 */
@FunctionalInterface
public interface Command {
  /**
   * Does what is asked and writes the fields of the reply, without {@code ok} and the times of the
   * cluster, which every reply gets.
   *
   * @throws CommandException when it is refused; what was written to the reply is then forgotten
   */
  void run(Request request, DocumentWriter reply);
}
