package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** {@code grantRolesToUser}: grants roles to a user. */
public final class GrantRolesToUserCommand implements Command {
  private final Users users;

  public GrantRolesToUserCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("roles"));
    List<Role> granted = Role.parse(request.field("roles"), request.database());
    users.update(
        new Identity(request.database(), CreateUserCommand.name(request)),
        user -> {
          Set<Role> all = new LinkedHashSet<>(user.roles());
          all.addAll(granted);
          return user.withRoles(List.copyOf(all));
        });
  }
}
