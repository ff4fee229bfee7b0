package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;

/** {@code saslContinue}: continues the login of the connection. */
public final class SaslContinueCommand implements Command {
  private final Logins logins;

  public SaslContinueCommand(Logins logins) {
    this.logins = logins;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    logins.proceed(request.client(), request.body(), reply);
  }
}
