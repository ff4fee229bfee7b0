package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code connectionStatus}: reports the authenticated user, its roles and privileges. */
public final class ConnectionStatusCommand implements Command {
  private final Users users;

  public ConnectionStatusCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("showPrivileges"));
    Optional<User> user = request.client().identity().flatMap(users::find);
    reply.startDocument("authInfo").startArray("authenticatedUsers");
    user.map(User::identity)
        .ifPresent(
            identity ->
                reply.add(
                    Value.of(
                        Document.writer()
                            .put("user", identity.user())
                            .put("db", identity.database())
                            .build())));
    reply.end();
    reply.put("authenticatedUserRoles", user.map(User::roleValues).orElse(Value.array(List.of())));
    if (request.flag("showPrivileges", false)) {
      reply.startArray("authenticatedUserPrivileges");
      user.ifPresent(
          one -> users.roles().privileges(one.roles()).forEach(p -> reply.add(p.toValue())));
      reply.end();
    }
    reply.end();
  }
}
