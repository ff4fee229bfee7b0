package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code createRole}: creates a role with privileges and inherited roles. */
public final class CreateRoleCommand implements Command {
  private final Users users;

  public CreateRoleCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("privileges", "roles", "authenticationRestrictions"));
    CreateUserCommand.rejectRestrictions(request);
    users
        .roles()
        .create(
            new CustomRole(
                RoleForm.named(request),
                Privilege.parse(request.field("privileges")),
                Role.parse(request.field("roles"), request.database())));
  }
}
