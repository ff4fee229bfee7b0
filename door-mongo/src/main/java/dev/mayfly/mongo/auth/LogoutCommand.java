package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Optional;

/** {@code logout}: forgets who the client has proved to be. */
public final class LogoutCommand implements Command {
  @Override
  public void run(Request request, DocumentWriter reply) {
    request.client().conversation(Optional.empty());
    request.client().identity(Optional.empty());
  }
}
