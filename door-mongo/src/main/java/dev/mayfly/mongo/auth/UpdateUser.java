package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;

/** {@code updateUser}: gives a user another password, other roles or other data. */
public final class UpdateUser implements Command {
  private final Users users;
  private final Passwords passwords = new Passwords();

  public UpdateUser(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(CreateUser.FIELDS);
    CreateUser.refuseRestrictions(request);
    if (CreateUser.FIELDS.stream().noneMatch(request::has)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "Must specify at least one field to update in updateUser");
    }
    Identity identity = new Identity(request.database(), CreateUser.name(request));
    users.update(identity, user -> changed(user, request));
  }

  private User changed(User user, Request request) {
    User changed = user;
    if (request.has("pwd")) {
      changed = changed.withCredentials(passwords.credentials(user.identity().user(), request));
    }
    if (request.has("roles")) {
      changed = changed.withRoles(Role.parse(request.field("roles"), request.database()));
    }
    if (request.has("customData")) {
      changed = changed.withCustomData(CreateUser.customData(request));
    }
    return changed;
  }
}
