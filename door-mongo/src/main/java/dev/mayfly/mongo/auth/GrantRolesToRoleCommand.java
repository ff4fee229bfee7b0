package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** {@code grantRolesToRole}: lets a role inherit from other roles. */
public final class GrantRolesToRoleCommand implements Command {
  private final Users users;

  public GrantRolesToRoleCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("roles"));
    List<Role> granted = Role.parse(request.field("roles"), request.database());
    users
        .roles()
        .update(
            RoleForm.named(request),
            role -> {
              Set<Role> all = new LinkedHashSet<>(role.roles());
              all.addAll(granted);
              return role.withRoles(List.copyOf(all));
            });
  }
}
