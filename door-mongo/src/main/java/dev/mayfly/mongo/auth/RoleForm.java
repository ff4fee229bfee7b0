package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.auth.Privilege.Resource;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Functions that the commands for roles share. */
final class RoleForm {
  private RoleForm() {}

  /** The role in a command. */
  static Role named(Request request) {
    String name = request.text(request.name(), "");
    if (name.isEmpty()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "Role name must be non-empty");
    }
    return new Role(name, request.database());
  }

  /** Removes roles, first from the users that have them. */
  static void drop(Users users, Set<Role> names) {
    names.forEach(name -> users.roles().checkUserDefined(name));
    users.revoke(names);
    users.roles().drop(names);
  }

  /** Adds privileges; the result has one privilege for each resource. */
  static List<Privilege> with(List<Privilege> some, List<Privilege> more) {
    Map<Resource, Set<String>> all = byResource(some);
    more.forEach(
        one -> all.computeIfAbsent(one.resource(), _ -> new HashSet<>()).addAll(one.actions()));
    return privileges(all);
  }

  /** Removes actions from privileges; a privilege without actions is omitted. */
  static List<Privilege> without(List<Privilege> some, List<Privilege> less) {
    Map<Resource, Set<String>> all = byResource(some);
    less.forEach(
        one ->
            all.computeIfPresent(
                one.resource(),
                (_, actions) -> {
                  actions.removeAll(one.actions());
                  return actions.isEmpty() ? null : actions;
                }));
    return privileges(all);
  }

  private static Map<Resource, Set<String>> byResource(List<Privilege> privileges) {
    Map<Resource, Set<String>> all = new LinkedHashMap<>();
    privileges.forEach(
        one -> all.computeIfAbsent(one.resource(), _ -> new HashSet<>()).addAll(one.actions()));
    return all;
  }

  private static List<Privilege> privileges(Map<Resource, Set<String>> all) {
    return all.entrySet().stream()
        .map(entry -> new Privilege(entry.getKey(), entry.getValue()))
        .toList();
  }
}
