package dev.mayfly.mongo.schema;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;

/** {@code reIndex}: fails, as on every member of a replica set. */
public final class ReIndexCommand implements Command {
  @Override
  public void run(Request request, DocumentWriter reply) {
    throw new CommandException(
        ErrorCode.ILLEGAL_OPERATION,
        "reIndex is only allowed on a standalone mongod instance. Cannot reIndex '"
            + request.namespace()
            + "' while replication is active");
  }
}
