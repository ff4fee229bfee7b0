package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code dropRole}: removes a role, also from the users and roles that have it. */
public final class DropRoleCommand implements Command {
  private final Users users;

  public DropRoleCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    RoleForm.drop(users, Set.of(RoleForm.named(request)));
  }
}
