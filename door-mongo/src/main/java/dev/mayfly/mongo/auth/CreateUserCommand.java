package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.Set;

/** {@code createUser}: creates a user with a password and roles. */
public final class CreateUserCommand implements Command {
  /** The fields of {@code createUser} and {@code updateUser}. */
  static final Set<String> FIELDS =
      Set.of(
          "pwd",
          "customData",
          "roles",
          "mechanisms",
          "digestPassword",
          "authenticationRestrictions");

  private final Users users;
  private final Passwords passwords = new Passwords();

  public CreateUserCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    rejectRestrictions(request);
    Identity identity = new Identity(request.database(), name(request));
    users.create(
        new User(
            identity,
            User.freshId(),
            passwords.credentials(identity.user(), request),
            Role.parse(request.field("roles"), request.database()),
            customData(request)));
  }

  /** Fails if a request has authentication restrictions: they would not be enforced. */
  static void rejectRestrictions(Request request) {
    Value restrictions = request.field("authenticationRestrictions");
    boolean none =
        restrictions.isMissing() || (restrictions.isArray() && restrictions.asDocument().isEmpty());
    if (!none) {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED, "authenticationRestrictions are not supported");
    }
  }

  /** The user name in a command. */
  static String name(Request request) {
    String name = request.text(request.name(), "");
    if (name.isEmpty()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "User document needs 'user' field");
    }
    return name;
  }

  static Value customData(Request request) {
    Document data = request.document("customData");
    return request.has("customData") ? Value.of(data) : Value.MISSING;
  }
}
