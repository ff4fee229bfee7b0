package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.List;
import java.util.Set;

/** {@code grantPrivilegesToRole}: adds privileges to a role. */
public final class GrantPrivilegesToRoleCommand implements Command {
  private final Users users;

  public GrantPrivilegesToRoleCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("privileges"));
    List<Privilege> granted = Privilege.parse(request.field("privileges"));
    users
        .roles()
        .update(
            RoleForm.named(request),
            role -> role.withPrivileges(RoleForm.with(role.privileges(), granted)));
  }
}
