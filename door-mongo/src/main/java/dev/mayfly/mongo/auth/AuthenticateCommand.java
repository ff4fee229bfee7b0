package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;

/**
 * {@code authenticate}: a login in one step, by a certificate or as before SCRAM. No such mechanism
 * is enabled.
 */
public final class AuthenticateCommand implements Command {
  @Override
  public void run(Request request, DocumentWriter reply) {
    throw Logins.unavailable(request.text("mechanism", "MONGODB-CR"));
  }
}
