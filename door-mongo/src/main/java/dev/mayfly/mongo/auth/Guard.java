package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Access;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;

/** Decides before a command runs whether its client may have it run. */
public final class Guard {
  private final Login login;
  private final Users users;

  public Guard(Login login, Users users) {
    this.login = login;
    this.users = users;
  }

  /**
   * Lets a request pass, or not.
   *
   * @throws CommandException UNAUTHORIZED
   */
  public void check(Access access, Request request) {
    if (access == Access.ANYONE || !binds(request.client()) || makesFirstUser(request)) {
      return;
    }
    User user =
        request
            .client()
            .identity()
            .flatMap(users::find)
            .orElseThrow(
                () ->
                    new CommandException(
                        ErrorCode.UNAUTHORIZED,
                        "Command " + request.name() + " requires authentication"));
    if (!may(user, access, request)) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED,
          "not authorized on " + request.database() + " to execute command " + request.name());
    }
  }

  /** Whether this client has to prove who it is. */
  boolean binds(Client client) {
    return switch (login) {
      case NEVER -> false;
      case FROM_AFAR -> !client.loopback();
      case ALWAYS -> true;
    };
  }

  /** Whether a client may know of a database. */
  public boolean maySee(Client client, String database) {
    return !binds(client)
        || client
            .identity()
            .flatMap(users::find)
            .filter(user -> allows(user, Access.INSPECT, database, ""))
            .isPresent();
  }

  private boolean makesFirstUser(Request request) {
    return users.isEmpty()
        && request.client().loopback()
        && request.name().equals("createUser")
        && request.database().equals(Users.ADMIN);
  }

  private static boolean may(User user, Access access, Request request) {
    String database = request.database();
    return switch (access) {
      case ANYONE, KNOWN -> true;
      case AGGREGATE ->
          allows(user, Access.READ, database, collection(request))
              && mayRunPipeline(user, database, request.field("pipeline"));
      case BULK_WRITE -> mayWriteAll(user, request.documents("nsInfo"));
      case USERS -> mayChangeUsers(user, request);
      case SCHEMA -> mayShape(user, request);
      default -> allows(user, access, database, collection(request));
    };
  }

  /** To rename is to drop and to create, by full names and whatever the database. */
  private static boolean mayShape(User user, Request request) {
    return request.name().equals("renameCollection")
        ? mayUse(user, Access.SCHEMA, request.text(request.name(), ""))
            && mayUse(user, Access.SCHEMA, request.text("to", ""))
        : allows(user, Access.SCHEMA, request.database(), collection(request));
  }

  /** The collection a request is about; empty when it is about a database. */
  private static String collection(Request request) {
    Value target = request.target();
    if (target.type() == Type.OBJECT) {
      Fields inner = target.asDocument().fields();
      target = inner.next() ? inner.value() : Value.MISSING;
    }
    if (target.type() != Type.STRING) {
      target = request.field("collection");
    }
    return target.type() == Type.STRING ? target.asString() : "";
  }

  private static boolean mayRunPipeline(User user, String database, Value pipeline) {
    boolean may = true;
    if (pipeline.isArray()) {
      Fields stages = pipeline.asDocument().fields();
      while (may && stages.next()) {
        may = stages.type() != Type.OBJECT || mayRunStage(user, database, stages.value());
      }
    }
    return may;
  }

  private static boolean mayRunStage(User user, String database, Value stage) {
    Fields fields = stage.asDocument().fields();
    if (!fields.next()) {
      return true;
    }
    Value argument = fields.value();
    return switch (fields.name()) {
      case "$out" -> mayTouch(user, Access.WRITE, database, argument, "coll");
      case "$merge" -> mayTouch(user, Access.WRITE, database, argument, "into");
      case "$lookup", "$graphLookup" ->
          mayTouch(user, Access.READ, database, argument, "from")
              && mayRunInner(user, database, argument);
      case "$unionWith" ->
          mayTouch(user, Access.READ, database, argument, "coll")
              && mayRunInner(user, database, argument);
      case "$facet" -> mayRunFacets(user, database, argument);
      case "$currentOp" -> allows(user, Access.MONITOR, Users.ADMIN, "");
      case "$listSessions", "$listLocalSessions" ->
          onlyOwn(argument) || allows(user, Access.MONITOR, Users.ADMIN, "");
      default -> true;
    };
  }

  /** Whether sessions of nobody else are asked for. */
  private static boolean onlyOwn(Value argument) {
    return argument.type() == Type.OBJECT
        && argument.asDocument().field("allUsers").isMissing()
        && argument.asDocument().field("users").isMissing();
  }

  private static boolean mayRunInner(User user, String database, Value argument) {
    return argument.type() != Type.OBJECT
        || mayRunPipeline(user, database, argument.asDocument().field("pipeline"));
  }

  private static boolean mayRunFacets(User user, String database, Value argument) {
    boolean may = true;
    if (argument.type() == Type.OBJECT) {
      Fields facets = argument.asDocument().fields();
      while (may && facets.next()) {
        may = mayRunPipeline(user, database, facets.value());
      }
    }
    return may;
  }

  /** Whether a stage may use the collection it names, by a text or in a document. */
  private static boolean mayTouch(
      User user, Access access, String database, Value named, String field) {
    if (named.type() == Type.STRING) {
      return allows(user, access, database, named.asString());
    }
    if (named.type() != Type.OBJECT) {
      return true;
    }
    Document document = named.asDocument();
    Value other = document.field("db");
    String of = other.type() == Type.STRING ? other.asString() : database;
    Value inner = document.field(field);
    return inner.isMissing() || mayTouch(user, access, of, inner, "coll");
  }

  private static boolean mayWriteAll(User user, List<Document> namespaces) {
    return namespaces.stream()
        .map(namespace -> namespace.field("ns"))
        .allMatch(
            name -> name.type() == Type.STRING && mayUse(user, Access.WRITE, name.asString()));
  }

  private static boolean mayUse(User user, Access access, String namespace) {
    int dot = namespace.indexOf('.');
    return dot > 0
        && allows(user, access, namespace.substring(0, dot), namespace.substring(dot + 1));
  }

  /** Whoever grants a role must be allowed to in the role's database too. */
  private static boolean mayChangeUsers(User user, Request request) {
    if (!allows(user, Access.USERS, request.database(), "")) {
      return looksAtItself(user, request);
    }
    Value roles = request.field("roles");
    return !roles.isArray()
        || Role.parse(roles, request.database()).stream()
            .allMatch(role -> allows(user, Access.USERS, role.database(), ""));
  }

  private static boolean looksAtItself(User user, Request request) {
    return request.name().equals("usersInfo")
        && request.target().equals(Value.of(user.identity().user()))
        && request.database().equals(user.identity().database());
  }

  private static boolean allows(User user, Access access, String database, String collection) {
    return user.roles().stream().anyMatch(role -> allows(role, access, database, collection));
  }

  private static boolean allows(Role role, Access access, String database, String collection) {
    boolean reaches = role.kind().ofAdmin() || role.database().equals(database);
    boolean ofUsers = database.equals(Users.ADMIN) && collection.equals("system.users");
    return reaches
        && role.kind().allows(access)
        && (!ofUsers || role.kind().equals(BuiltinRole.BACKUP) || role.kind().allows(Access.USERS));
  }
}
