package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code rolesInfo}: which roles a database has. There are the built-in ones and no others. */
public final class RolesInfo implements Command {
  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("showPrivileges", "showBuiltinRoles", "showAuthenticationRestrictions"));
    reply.startArray("roles");
    for (Role role : chosen(request)) {
      reply
          .startDocument()
          .put("_id", role.database() + "." + role.kind().label())
          .put("role", role.kind().label())
          .put("db", role.database())
          .put("isBuiltin", true)
          .put("roles", Value.array(List.of()))
          .put("inheritedRoles", Value.array(List.of()))
          .end();
    }
    reply.end();
  }

  private static List<Role> chosen(Request request) {
    String database = request.database();
    if (request.target().isNumber()) {
      return request.flag("showBuiltinRoles", false) ? all(database) : List.of();
    }
    List<Role> chosen = new ArrayList<>();
    if (request.target().isArray()) {
      Fields names = request.target().asDocument().fields();
      while (names.next()) {
        add(names.value(), database, chosen);
      }
    } else {
      add(request.target(), database, chosen);
    }
    return chosen;
  }

  private static void add(Value name, String database, List<Role> chosen) {
    try {
      chosen.add(Role.one(name, database));
    } catch (CommandException noSuchRole) {
      // A role that is not there is not listed; that is the answer.
      return;
    }
  }

  private static List<Role> all(String database) {
    return BuiltinRole.ALL.stream()
        .filter(kind -> !kind.ofAdmin() || database.equals(Users.ADMIN))
        .map(kind -> new Role(kind, database))
        .toList();
  }
}
