package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/**
 * {@code logRotate}: as for any server that logs to its standard error, there is no file to begin
 * anew; whoever keeps what comes from there does so.
 */
public final class LogRotateCommand implements Command {
  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
  }
}
