package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;

/** {@code saslStart}: starts a login as a user of the request's database. */
public final class SaslStartCommand implements Command {
  private final Logins logins;

  public SaslStartCommand(Logins logins) {
    this.logins = logins;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    logins.start(request.client(), request.database(), request.body(), reply);
  }
}
