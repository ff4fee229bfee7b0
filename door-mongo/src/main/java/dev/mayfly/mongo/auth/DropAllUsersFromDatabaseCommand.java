package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.List;
import java.util.Set;

/** {@code dropAllUsersFromDatabase}: removes all users of a database. */
public final class DropAllUsersFromDatabaseCommand implements Command {
  private final Users users;

  public DropAllUsersFromDatabaseCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    List<Identity> dropped =
        users.all().stream()
            .map(User::identity)
            .filter(identity -> identity.database().equals(request.database()))
            .toList();
    dropped.forEach(users::drop);
    reply.put("n", dropped.size());
  }
}
