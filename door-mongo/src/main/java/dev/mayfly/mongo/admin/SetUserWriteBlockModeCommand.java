package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code setUserWriteBlockMode}: blocks writes of users, or allows them again. */
public final class SetUserWriteBlockModeCommand implements Command {
  private static final Set<String> FIELDS = Set.of("global");

  private final WriteBlock block;
  private final WriteLock.Writers writers;

  public SetUserWriteBlockModeCommand(WriteBlock block, WriteLock.Writers writers) {
    this.block = block;
    this.writers = writers;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    if (!request.has("global")) {
      throw new CommandException(
          ErrorCode.MISSING_FIELD,
          "BSON field 'setUserWriteBlockMode.global' is missing but a required field");
    }
    block.set(request.flag("global", false), request, writers);
  }
}
