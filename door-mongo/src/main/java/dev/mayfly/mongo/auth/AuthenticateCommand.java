package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;

/**
 * {@code authenticate}: login by X.509 certificate or MONGODB-CR. Always fails, because neither is
 * supported.
 */
public final class AuthenticateCommand implements Command {
  @Override
  public void run(Request request, DocumentWriter reply) {
    throw Logins.unavailable(request.text("mechanism", "MONGODB-CR"));
  }
}
