package dev.mayfly.mongo.auth;

import dev.mayfly.value.Document;
import java.util.List;

/**
 * A user-defined role, as stored in {@code admin.system.roles}.
 *
 * @param privileges its own privileges
 * @param roles the roles whose privileges it inherits
 */
record CustomRole(Role name, List<Privilege> privileges, List<Role> roles) {
  CustomRole {
    privileges = List.copyOf(privileges);
    roles = List.copyOf(roles);
  }

  CustomRole withPrivileges(List<Privilege> changed) {
    return new CustomRole(name, changed, roles);
  }

  CustomRole withRoles(List<Role> changed) {
    return new CustomRole(name, privileges, changed);
  }

  static CustomRole of(Document stored) {
    String database = stored.field("db").asString();
    return new CustomRole(
        new Role(stored.field("role").asString(), database),
        Privilege.parse(stored.field("privileges")),
        Role.parse(stored.field("roles"), database));
  }

  Document toDocument() {
    return Document.writer()
        .put("_id", name.id())
        .put("role", name.name())
        .put("db", name.database())
        .put("privileges", Privilege.toValue(privileges))
        .put("roles", Role.toValue(roles))
        .build();
  }
}
