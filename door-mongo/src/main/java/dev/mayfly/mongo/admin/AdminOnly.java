package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;

/** Command that runs against the {@code admin} database only; fails with Unauthorized elsewhere. */
public record AdminOnly(Command command) implements Command {
  @Override
  public void run(Request request, DocumentWriter reply) {
    if (!request.database().equals("admin")) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED, request.name() + " may only be run against the admin database.");
    }
    command.run(request, reply);
  }
}
