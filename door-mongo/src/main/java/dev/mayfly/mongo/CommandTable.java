package dev.mayfly.mongo;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.HashMap;
import java.util.Map;

/** Every command of the door by its name; what is not in it is answered as unknown. */
final class CommandTable {
  private final Map<String, Command> commands = new HashMap<>();

  CommandTable() {
    add("ping", (_, _) -> {});
  }

  private void add(String name, Command command) {
    commands.put(name, command);
  }

  /** Runs the command a request names. */
  void run(Request request, DocumentWriter reply) {
    Command command = commands.get(request.name());
    if (command == null) {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_FOUND, "no such command: '" + request.name() + "'");
    }
    command.run(request, reply);
  }
}
