package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Access;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Decides before a command runs whether its client may have it run. */
public final class Guard {
  private static final Need READ = Need.of(Access.READ, "find");
  private static final Need WATCH = Need.of(Access.READ, "find", "changeStream");
  private static final Need REPLACE = Need.of(Access.WRITE, "insert", "remove");
  private static final Need MERGE = Need.of(Access.WRITE, "insert", "update");

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
    if (!may(user(request), access, request)) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED,
          "not authorized on " + request.database() + " to execute command " + request.name());
    }
  }

  /**
   * Lets a request go on with what another has begun, as long as its client may still begin that.
   *
   * @throws CommandException UNAUTHORIZED
   */
  public void checkStill(Access access, Request begun, Request more) {
    if (binds(more.client()) && !may(user(more), access, begun)) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED, "not authorized to go on with command " + begun.name());
    }
  }

  private User user(Request request) {
    return request
        .client()
        .identity()
        .flatMap(users::find)
        .orElseThrow(
            () ->
                new CommandException(
                    ErrorCode.UNAUTHORIZED,
                    "Command " + request.name() + " requires authentication"));
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
    return may(client, user -> users.roles().maySee(user.roles(), database));
  }

  /** Whether a client may close the cursors of others. */
  public boolean mayKillCursors(Client client) {
    Need need = Need.of(Access.OPERATE, "killAnyCursor");
    return may(client, user -> allows(user, need, Users.ADMIN, ""));
  }

  private boolean may(Client client, Predicate<User> allowed) {
    return !binds(client) || client.identity().flatMap(users::find).filter(allowed).isPresent();
  }

  private boolean makesFirstUser(Request request) {
    return users.isEmpty()
        && request.client().loopback()
        && request.name().equals("createUser")
        && request.database().equals(Users.ADMIN);
  }

  private boolean may(User user, Access access, Request request) {
    Need need = new Need(access, Actions.needed(request));
    return switch (access) {
      case ANYONE, KNOWN -> true;
      case AGGREGATE ->
          mayRead(user, request)
              && mayRunPipeline(user, request.database(), request.field("pipeline"));
      case BULK_WRITE -> mayWriteAll(user, need.by(Access.WRITE), request.documents("nsInfo"));
      case USERS -> mayChangeUsers(user, need, request);
      case SCHEMA -> mayShape(user, need, request);
      case READ, WRITE, MANAGE, INSPECT, MONITOR, OPERATE ->
          allows(user, need, request.database(), collection(request));
    };
  }

  /**
   * What is needed to do something.
   *
   * @param access the kind of access that built-in roles give
   * @param actions what other roles have to allow, all of it; empty when they cannot
   */
  record Need(Access access, Optional<Set<String>> actions) {
    static Need of(Access access, String... actions) {
      return new Need(access, Optional.of(Set.of(actions)));
    }

    Need by(Access other) {
      return new Need(other, actions);
    }
  }

  /** To watch needs more than to read, and to watch all databases is to read all of them. */
  private boolean mayRead(User user, Request request) {
    Value watched = watched(request.field("pipeline"));
    if (watched.type() != Type.OBJECT) {
      return allows(user, READ, request.database(), collection(request));
    }
    Value all = watched.asDocument().field("allChangesForCluster");
    boolean one = all.isMissing() || all.equals(Value.FALSE);
    return one
        ? allows(user, WATCH, request.database(), collection(request))
        : allows(user, WATCH, "", "");
  }

  /** What the first stage of a pipeline says of a change stream; missing when it is another. */
  private static Value watched(Value pipeline) {
    if (!pipeline.isArray()) {
      return Value.MISSING;
    }
    // by its place: what an element of an array is called is for the client to say
    Fields stages = pipeline.asDocument().fields();
    return stages.next() && stages.type() == Type.OBJECT
        ? stages.value().asDocument().field("$changeStream")
        : Value.MISSING;
  }

  /** To rename is to drop and to create, by full names and whatever the database. */
  private boolean mayShape(User user, Need need, Request request) {
    if (!request.name().equals("renameCollection")) {
      return allows(user, need, request.database(), collection(request));
    }
    String from = request.text(request.name(), "");
    String to = request.text("to", "");
    boolean within = database(from).equals(database(to));
    Need rename = within ? need : new Need(need.access(), Optional.empty());
    return mayUse(user, rename, from) && mayUse(user, rename, to);
  }

  /** The collection a request is about; empty when it is about a database. */
  private static String collection(Request request) {
    if (request.name().equals("filemd5")) {
      return Names.chunks(request);
    }
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

  private boolean mayRunPipeline(User user, String database, Value pipeline) {
    boolean may = true;
    if (pipeline.isArray()) {
      Fields stages = pipeline.asDocument().fields();
      while (may && stages.next()) {
        may = stages.type() != Type.OBJECT || mayRunStage(user, database, stages.value());
      }
    }
    return may;
  }

  private boolean mayRunStage(User user, String database, Value stage) {
    Fields fields = stage.asDocument().fields();
    if (!fields.next()) {
      return true;
    }
    Value argument = fields.value();
    return switch (fields.name()) {
      case "$out" -> mayTouch(user, REPLACE, database, argument, "coll");
      case "$merge" -> mayTouch(user, MERGE, database, argument, "into");
      case "$lookup", "$graphLookup" ->
          mayTouch(user, READ, database, argument, "from") && mayRunInner(user, database, argument);
      case "$unionWith" ->
          mayTouch(user, READ, database, argument, "coll") && mayRunInner(user, database, argument);
      case "$facet" -> mayRunFacets(user, database, argument);
      case "$currentOp" -> allows(user, Need.of(Access.MONITOR, "inprog"), Users.ADMIN, "");
      case "$listSessions", "$listLocalSessions" ->
          onlyOwn(argument)
              || allows(user, Need.of(Access.MONITOR, "listSessions"), Users.ADMIN, "");
      default -> true;
    };
  }

  /** Whether sessions of nobody else are asked for. */
  private static boolean onlyOwn(Value argument) {
    return argument.type() == Type.OBJECT
        && argument.asDocument().field("allUsers").isMissing()
        && argument.asDocument().field("users").isMissing();
  }

  private boolean mayRunInner(User user, String database, Value argument) {
    return argument.type() != Type.OBJECT
        || mayRunPipeline(user, database, argument.asDocument().field("pipeline"));
  }

  private boolean mayRunFacets(User user, String database, Value argument) {
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
  private boolean mayTouch(User user, Need need, String database, Value named, String field) {
    if (named.type() == Type.STRING) {
      return allows(user, need, database, named.asString());
    }
    if (named.type() != Type.OBJECT) {
      return true;
    }
    Document document = named.asDocument();
    Value other = document.field("db");
    String of = other.type() == Type.STRING ? other.asString() : database;
    Value inner = document.field(field);
    return inner.isMissing() || mayTouch(user, need, of, inner, "coll");
  }

  private boolean mayWriteAll(User user, Need need, List<Document> namespaces) {
    return namespaces.stream()
        .map(namespace -> namespace.field("ns"))
        .allMatch(name -> name.type() == Type.STRING && mayUse(user, need, name.asString()));
  }

  private static String database(String namespace) {
    return namespace.substring(0, Math.max(namespace.indexOf('.'), 0));
  }

  private boolean mayUse(User user, Need need, String namespace) {
    int dot = namespace.indexOf('.');
    return dot > 0 && allows(user, need, namespace.substring(0, dot), namespace.substring(dot + 1));
  }

  /** Whoever grants a role or a privilege must be allowed to in its database too. */
  private boolean mayChangeUsers(User user, Need need, Request request) {
    if (!allows(user, need, request.database(), "")) {
      return looksAtItself(user, request);
    }
    Value roles = request.field("roles");
    Value privileges = request.field("privileges");
    Need grant = Need.of(Access.USERS, "grantRole");
    return (!roles.isArray()
            || Role.parse(roles, request.database()).stream()
                .allMatch(role -> allows(user, grant, role.database(), "")))
        && (!privileges.isArray()
            || Privilege.parse(privileges).stream()
                .allMatch(one -> allows(user, grant, one.database(), "")));
  }

  private boolean looksAtItself(User user, Request request) {
    return request.name().equals("usersInfo")
        && request.target().equals(Value.of(user.identity().user()))
        && request.database().equals(user.identity().database());
  }

  private boolean allows(User user, Need need, String database, String collection) {
    return users.roles().allow(user.roles(), need, database, collection);
  }
}
