package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;

/**
 * {@code fsync}: accepted, and the reply says what it does not do. Locking out writers is refused,
 * because nobody would be locked out.
 */
public final class Fsync implements Command {
  @Override
  public void run(Request request, DocumentWriter reply) {
    if (request.flag("lock", false)) {
      throw new CommandException(ErrorCode.COMMAND_NOT_SUPPORTED, "fsync cannot lock");
    }
    reply
        .put("numFiles", 1)
        .put("note", "waits for nothing: writes with j:true or w:majority are on disk already");
  }
}
