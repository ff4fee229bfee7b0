package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/**
 * {@code logRotate}: does nothing, because the server logs to standard error and has no log file.
 */
public final class LogRotateCommand implements Command {
  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
  }
}
