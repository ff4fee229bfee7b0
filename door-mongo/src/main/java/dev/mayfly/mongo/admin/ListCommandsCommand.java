package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** {@code listCommands}: the names of all commands. */
public final class ListCommandsCommand implements Command {
  private final Supplier<Set<String>> names;

  public ListCommandsCommand(Supplier<Set<String>> names) {
    this.names = names;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    reply.startDocument("commands");
    for (String name : new TreeSet<>(names.get())) {
      reply
          .startDocument(name)
          .put("help", "")
          .put("requiresAuth", true)
          .put("secondaryOk", true)
          .put("adminOnly", false)
          .end();
    }
    reply.end();
  }
}
