package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code dropUser}: removes a user. */
public final class DropUserCommand implements Command {
  private final Users users;

  public DropUserCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    users.drop(new Identity(request.database(), CreateUserCommand.name(request)));
  }
}
