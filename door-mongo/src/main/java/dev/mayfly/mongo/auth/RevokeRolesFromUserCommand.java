package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.List;
import java.util.Set;

/** {@code revokeRolesFromUser}: revokes roles from a user. */
public final class RevokeRolesFromUserCommand implements Command {
  private final Users users;

  public RevokeRolesFromUserCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("roles"));
    List<Role> revoked = Role.parse(request.field("roles"), request.database());
    users.roles().check(revoked);
    users.update(
        new Identity(request.database(), CreateUserCommand.name(request)),
        user ->
            user.withRoles(user.roles().stream().filter(role -> !revoked.contains(role)).toList()));
  }
}
