package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;

/** {@code createRole} and all that changes such roles: there are built-in roles only. */
public final class CustomRoles implements Command {
  @Override
  public void run(Request request, DocumentWriter reply) {
    throw new CommandException(
        ErrorCode.NOT_IMPLEMENTED,
        request.name() + " is not supported: there are built-in roles only");
  }
}
