package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Access;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code connectionStatus}: who the client is and what it may do. */
public final class ConnectionStatus implements Command {
  private static final Set<Access> ON_COLLECTIONS =
      Set.of(Access.READ, Access.WRITE, Access.SCHEMA, Access.MANAGE, Access.INSPECT);

  private final Users users;

  public ConnectionStatus(Users users) {
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
      user.ifPresent(one -> one.roles().forEach(role -> write(role, reply)));
      reply.end();
    }
    reply.end();
  }

  private static void write(Role role, DocumentWriter reply) {
    String database = role.kind().ofAdmin() ? "" : role.database();
    Document everything = Document.writer().put("db", database).put("collection", "").build();
    write(everything, actions(role, true), reply);
    if (role.kind().ofAdmin()) {
      write(Document.writer().put("cluster", true).build(), actions(role, false), reply);
    }
  }

  private static void write(Document resource, List<Value> actions, DocumentWriter reply) {
    if (!actions.isEmpty()) {
      reply.startDocument().put("resource", resource).put("actions", Value.array(actions)).end();
    }
  }

  private static List<Value> actions(Role role, boolean onCollections) {
    List<Value> actions = new ArrayList<>();
    for (Access access : Access.values()) {
      boolean here = ON_COLLECTIONS.contains(access) == onCollections || access == Access.USERS;
      if (here && role.kind().allows(access)) {
        actions(access).stream().map(Value::of).forEach(actions::add);
      }
    }
    return actions;
  }

  /** What MongoDB calls the things that an access allows. */
  private static List<String> actions(Access access) {
    return switch (access) {
      case READ -> List.of("find", "killCursors", "changeStream");
      case WRITE -> List.of("insert", "update", "remove");
      case SCHEMA ->
          List.of(
              "createCollection",
              "createIndex",
              "dropCollection",
              "dropIndex",
              "renameCollectionSameDB");
      case MANAGE -> List.of("collMod", "dropDatabase", "enableProfiler", "validate");
      case INSPECT ->
          List.of("collStats", "dbStats", "indexStats", "listCollections", "listIndexes", "dbHash");
      case USERS ->
          List.of(
              "changeCustomData",
              "changePassword",
              "createUser",
              "dropUser",
              "grantRole",
              "revokeRole",
              "viewRole",
              "viewUser");
      case MONITOR ->
          List.of(
              "getCmdLineOpts",
              "getLog",
              "getParameter",
              "hostInfo",
              "inprog",
              "listDatabases",
              "listSessions",
              "replSetGetConfig",
              "replSetGetStatus",
              "serverStatus",
              "top");
      case OPERATE -> List.of("fsync", "killAnySession", "killAnyCursor", "killop", "setParameter");
      case ANYONE, KNOWN, AGGREGATE, BULK_WRITE -> List.of();
    };
  }
}
