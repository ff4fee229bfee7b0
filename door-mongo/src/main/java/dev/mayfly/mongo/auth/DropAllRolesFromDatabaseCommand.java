package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code dropAllRolesFromDatabase}: removes all user-defined roles of a database. */
public final class DropAllRolesFromDatabaseCommand implements Command {
  private final Users users;

  public DropAllRolesFromDatabaseCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    Set<Role> all =
        users.roles().of(request.database()).stream()
            .map(CustomRole::name)
            .collect(Collectors.toSet());
    RoleForm.drop(users, all);
    reply.put("n", all.size());
  }
}
