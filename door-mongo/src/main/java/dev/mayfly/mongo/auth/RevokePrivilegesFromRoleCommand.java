package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.List;
import java.util.Set;

/** {@code revokePrivilegesFromRole}: removes privileges from a role. */
public final class RevokePrivilegesFromRoleCommand implements Command {
  private final Users users;

  public RevokePrivilegesFromRoleCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("privileges"));
    List<Privilege> revoked = Privilege.parse(request.field("privileges"));
    users
        .roles()
        .update(
            RoleForm.named(request),
            role -> role.withPrivileges(RoleForm.without(role.privileges(), revoked)));
  }
}
