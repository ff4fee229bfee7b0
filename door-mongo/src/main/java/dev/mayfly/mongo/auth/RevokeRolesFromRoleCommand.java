package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.List;
import java.util.Set;

/** {@code revokeRolesFromRole}: removes inherited roles from a role. */
public final class RevokeRolesFromRoleCommand implements Command {
  private final Users users;

  public RevokeRolesFromRoleCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("roles"));
    List<Role> revoked = Role.parse(request.field("roles"), request.database());
    users.roles().check(revoked);
    users
        .roles()
        .update(
            RoleForm.named(request),
            role ->
                role.withRoles(
                    role.roles().stream().filter(one -> !revoked.contains(one)).toList()));
  }
}
