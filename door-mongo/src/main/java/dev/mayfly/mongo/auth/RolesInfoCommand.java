package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code rolesInfo}: lists roles, with their privileges if requested. */
public final class RolesInfoCommand implements Command {
  private final Users users;

  public RolesInfoCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("showPrivileges", "showBuiltinRoles", "showAuthenticationRestrictions"));
    boolean privileges = request.flag("showPrivileges", false);
    reply.startArray("roles");
    for (Role role : chosen(request)) {
      write(role, privileges, reply);
    }
    reply.end();
  }

  private void write(Role role, boolean privileges, DocumentWriter reply) {
    Roles roles = users.roles();
    List<Role> own = roles.find(role).map(CustomRole::roles).orElse(List.of());
    reply
        .startDocument()
        .put("_id", role.id())
        .put("role", role.name())
        .put("db", role.database())
        .put("isBuiltin", role.builtin().isPresent())
        .put("roles", Role.toValue(own))
        .put("inheritedRoles", Role.toValue(roles.inherited(own)));
    if (privileges) {
      List<Privilege> allowed =
          role.builtin()
              .map(kind -> kind.privileges(role.database()))
              .or(() -> roles.find(role).map(CustomRole::privileges))
              .orElse(List.of());
      reply
          .put("privileges", Privilege.toValue(allowed))
          .put("inheritedPrivileges", Privilege.toValue(roles.privileges(List.of(role))));
    }
    reply.end();
  }

  private List<Role> chosen(Request request) {
    String database = request.database();
    List<Role> chosen = new ArrayList<>();
    if (request.target().isNumber()) {
      users.roles().of(database).forEach(role -> chosen.add(role.name()));
      if (request.flag("showBuiltinRoles", false)) {
        BuiltinRole.ALL.forEach(kind -> chosen.add(new Role(kind.label(), database)));
      }
    } else {
      chosen.addAll(named(request));
    }
    // a role that does not exist is omitted from the reply
    chosen.removeIf(role -> role.builtin().isEmpty() && users.roles().find(role).isEmpty());
    return chosen;
  }

  /** The roles in a request, of any database. */
  static List<Role> named(Request request) {
    Value target = request.target();
    return target.isArray()
        ? Role.parse(target, request.database())
        : List.of(Role.one(target, request.database()));
  }
}
