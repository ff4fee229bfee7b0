package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code usersInfo}: lists one user, several, all of a database or all. */
public final class UsersInfoCommand implements Command {
  private final Users users;

  /** The users that a request selects. */
  sealed interface Selection {
    /** All users of a database. */
    record OfDatabase(String database) implements Selection {}

    /** All users. */
    record OfAll() implements Selection {}

    /** These users, of any database. */
    record Named(List<Identity> users) implements Selection {
      public Named {
        users = List.copyOf(users);
      }
    }

    static Selection of(Request request) {
      Value target = request.target();
      if (target.isNumber()) {
        return new OfDatabase(request.database());
      }
      if (target.type() == Type.OBJECT && !target.asDocument().field("forAllDBs").isMissing()) {
        return new OfAll();
      }
      List<Identity> named = new ArrayList<>();
      if (target.isArray()) {
        Fields names = target.asDocument().fields();
        while (names.next()) {
          named.add(identity(names.value(), request.database()));
        }
      } else {
        named.add(identity(target, request.database()));
      }
      return new Named(named);
    }
  }

  public UsersInfoCommand(Users users) {
    this.users = users;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(
        Set.of(
            "showCredentials",
            "showPrivileges",
            "showCustomData",
            "showAuthenticationRestrictions",
            "filter"));
    if (request.has("filter") && !request.document("filter").isEmpty()) {
      throw new CommandException(ErrorCode.NOT_IMPLEMENTED, "usersInfo does not support filter");
    }
    boolean credentials = request.flag("showCredentials", false);
    boolean custom = request.flag("showCustomData", true);
    reply.startArray("users");
    for (User user : chosen(Selection.of(request))) {
      reply.startDocument();
      write(user, credentials, custom, reply);
      reply.end();
    }
    reply.end();
  }

  private List<User> chosen(Selection selection) {
    return switch (selection) {
      case Selection.OfDatabase(String database) ->
          users.all().stream().filter(user -> user.identity().database().equals(database)).toList();
      case Selection.OfAll() -> users.all();
      case Selection.Named(List<Identity> named) ->
          named.stream().flatMap(name -> users.find(name).stream()).toList();
    };
  }

  private static Identity identity(Value name, String database) {
    if (name.type() == Type.STRING) {
      return new Identity(database, name.asString());
    }
    if (name.type() == Type.OBJECT) {
      Document document = name.asDocument();
      if (document.field("user").type() == Type.STRING
          && document.field("db").type() == Type.STRING) {
        return new Identity(document.field("db").asString(), document.field("user").asString());
      }
    }
    throw new CommandException(
        ErrorCode.BAD_VALUE, "User names must be either strings or objects with user and db");
  }

  private static void write(User user, boolean credentials, boolean custom, DocumentWriter reply) {
    reply
        .put("_id", User.id(user.identity()))
        .put("userId", user.userId())
        .put("user", user.identity().user())
        .put("db", user.identity().database());
    if (credentials) {
      user.writeCredentials(reply);
    }
    if (custom) {
      reply.put("customData", user.customData());
    }
    reply.put("roles", user.roleValues()).put("mechanisms", user.mechanisms());
  }
}
