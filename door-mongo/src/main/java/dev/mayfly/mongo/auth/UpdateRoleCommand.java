package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code updateRole}: replaces the privileges or inherited roles of a role. */
public final class UpdateRoleCommand implements Command {
  private final Users users;

  public UpdateRoleCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("privileges", "roles", "authenticationRestrictions"));
    CreateUserCommand.rejectRestrictions(request);
    users.roles().update(RoleForm.named(request), role -> changed(role, request));
  }

  private static CustomRole changed(CustomRole role, Request request) {
    CustomRole changed = role;
    if (request.has("privileges")) {
      changed = changed.withPrivileges(Privilege.parse(request.field("privileges")));
    }
    if (request.has("roles")) {
      changed = changed.withRoles(Role.parse(request.field("roles"), request.database()));
    }
    return changed;
  }
}
