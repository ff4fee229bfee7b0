package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;

/** {@code updateUser}: changes the password, roles or custom data of a user. */
public final class UpdateUserCommand implements Command {
  private final Users users;
  private final Passwords passwords = new Passwords();

  public UpdateUserCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(CreateUserCommand.FIELDS);
    CreateUserCommand.rejectRestrictions(request);
    if (CreateUserCommand.FIELDS.stream().noneMatch(request::has)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "Must specify at least one field to update in updateUser");
    }
    Identity identity = new Identity(request.database(), CreateUserCommand.name(request));
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
      changed = changed.withCustomData(CreateUserCommand.customData(request));
    }
    return changed;
  }
}
