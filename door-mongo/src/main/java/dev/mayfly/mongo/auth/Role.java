package dev.mayfly.mongo.auth;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The name and database of a built-in or user-defined role. */
record Role(String name, String database) {
  Value toValue() {
    return Value.of(Document.writer().put("role", name).put("db", database).build());
  }

  /** Its {@code _id} in {@code admin.system.roles}. */
  Value id() {
    return Value.of(database + "." + name);
  }

  static Value toValue(List<Role> roles) {
    return Value.array(roles.stream().map(Role::toValue).toList());
  }

  /** Parses the roles in commands and stored users: a name in this database, or name and db. */
  static List<Role> parse(Value roles, String database) {
    if (!roles.isArray()) {
      throw new CommandException(ErrorCode.TYPE_MISMATCH, "\"roles\" must be an array");
    }
    List<Role> parsed = new ArrayList<>();
    Fields elements = roles.asDocument().fields();
    while (elements.next()) {
      parsed.add(one(elements.value(), database));
    }
    return parsed;
  }

  static Role one(Value role, String database) {
    if (role.type() == Type.STRING) {
      return new Role(role.asString(), database);
    }
    if (role.type() == Type.OBJECT) {
      Value name = role.asDocument().field("role");
      Value of = role.asDocument().field("db");
      if (name.type() == Type.STRING && of.type() == Type.STRING) {
        return new Role(name.asString(), of.asString());
      }
    }
    throw new CommandException(
        ErrorCode.BAD_VALUE, "Role names must be either strings or objects with role and db");
  }

  /** The built-in role of that name; some exist only in admin. */
  Optional<BuiltinRole> builtin() {
    return BuiltinRole.labelled(name)
        .filter(kind -> !kind.ofAdmin() || database.equals(Users.ADMIN));
  }

  @Override
  public String toString() {
    return name + "@" + database;
  }
}
