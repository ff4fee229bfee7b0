package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Optional;

/** {@code logout}: ends the authentication of the connection. */
public final class LogoutCommand implements Command {
  @Override
  public void run(Request request, DocumentWriter reply) {
    request.client().conversation(Optional.empty());
    request.client().identity(Optional.empty());
  }
}
