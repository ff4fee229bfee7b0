package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/** A role that a user has in a database. */
record Role(BuiltinRole kind, String database) {
  Value toValue() {
    return Value.of(Document.writer().put("role", kind.label()).put("db", database).build());
  }

  /** Roles as commands and stored users name them: a name of this database, or name and db. */
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
      return named(role.asString(), database);
    }
    if (role.type() == Type.OBJECT) {
      Value name = role.asDocument().field("role");
      Value of = role.asDocument().field("db");
      if (name.type() == Type.STRING && of.type() == Type.STRING) {
        return named(name.asString(), of.asString());
      }
    }
    throw new CommandException(
        ErrorCode.BAD_VALUE, "Role names must be either strings or objects with role and db");
  }

  private static Role named(String name, String database) {
    return BuiltinRole.labelled(name)
        .filter(kind -> !kind.ofAdmin() || database.equals(Users.ADMIN))
        .map(kind -> new Role(kind, database))
        .orElseThrow(
            () ->
                new CommandException(
                    ErrorCode.ROLE_NOT_FOUND, "Could not find role: " + name + "@" + database));
  }
}
