package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.auth.Privilege.Resource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * A built-in role with the privileges in MongoDB's manual, as far as Mayfly has the actions.
 *
 * @param ofAdmin whether it exists only in the database admin
 * @param allowed returns the privileges for the database of the role
 */
record BuiltinRole(String label, boolean ofAdmin, Function<String, List<Privilege>> allowed) {
  private static final String PROFILE = "system.profile";
  private static final String SCRIPTS = "system.js";
  private static final String USERS = "system.users";
  private static final String ROLES = "system.roles";
  private static final String VERSION = "system.version";

  private static final Set<String> READ =
      Set.of(
          "changeStream",
          "collStats",
          "dbHash",
          "dbStats",
          "find",
          "killCursors",
          "listCollections",
          "listIndexes",
          "listSearchIndexes",
          "planCacheRead");
  private static final Set<String> READ_WRITE =
      with(
          READ,
          "convertToCapped",
          "createCollection",
          "createIndex",
          "createSearchIndexes",
          "dropCollection",
          "dropIndex",
          "dropSearchIndex",
          "insert",
          "remove",
          "renameCollectionSameDB",
          "update",
          "updateSearchIndex");
  private static final Set<String> DB_ADMIN =
      Set.of(
          "bypassDocumentValidation",
          "collMod",
          "collStats",
          "compact",
          "convertToCapped",
          "createCollection",
          "createIndex",
          "createSearchIndexes",
          "dbStats",
          "dropCollection",
          "dropDatabase",
          "dropIndex",
          "dropSearchIndex",
          "enableProfiler",
          "listCollections",
          "listIndexes",
          "listSearchIndexes",
          "planCacheIndexFilter",
          "planCacheRead",
          "planCacheWrite",
          "reIndex",
          "renameCollectionSameDB",
          "storageDetails",
          "updateSearchIndex",
          "validate");
  private static final Set<String> ADMIN_OF_PROFILE =
      with(READ, "convertToCapped", "createCollection", "dropCollection");
  private static final Set<String> USER_ADMIN =
      Set.of(
          "changeCustomData",
          "changePassword",
          "createRole",
          "createUser",
          "dropRole",
          "dropUser",
          "grantRole",
          "revokeRole",
          "setAuthenticationRestriction",
          "viewRole",
          "viewUser");
  private static final Set<String> MONITOR =
      Set.of(
          "connPoolStats",
          "getCmdLineOpts",
          "getDefaultRWConcern",
          "getLog",
          "getParameter",
          "hostInfo",
          "inprog",
          "listDatabases",
          "listSessions",
          "listShards",
          "netstat",
          "replSetGetConfig",
          "replSetGetStatus",
          "serverStatus",
          "top",
          "useUUID");
  private static final Set<String> MONITOR_OF_COLLECTIONS =
      Set.of("collStats", "dbStats", "indexStats");
  private static final Set<String> MANAGE_HOST =
      Set.of(
          "fsync",
          "invalidateUserCache",
          "killAnyCursor",
          "killAnySession",
          "killop",
          "logRotate",
          "setParameter",
          "shutdown",
          "unlock");
  private static final Set<String> MANAGE_CLUSTER =
      Set.of(
          "appendOplogNote",
          "getDefaultRWConcern",
          "listSessions",
          "listShards",
          "replSetConfigure",
          "replSetGetConfig",
          "replSetGetStatus",
          "replSetStateChange",
          "setDefaultRWConcern",
          "setFeatureCompatibilityVersion");
  private static final Set<String> CHANGE = Set.of("insert", "remove", "update");
  private static final Set<String> RESTORE =
      Set.of(
          "bypassDocumentValidation",
          "collMod",
          "convertToCapped",
          "createCollection",
          "createIndex",
          "createSearchIndexes",
          "dropCollection",
          "insert",
          "updateSearchIndex");

  /** All built-in roles. */
  static final List<BuiltinRole> ALL =
      List.of(
          new BuiltinRole("read", false, BuiltinRole::read),
          new BuiltinRole("readWrite", false, BuiltinRole::readWrite),
          new BuiltinRole("dbAdmin", false, BuiltinRole::dbAdmin),
          new BuiltinRole("userAdmin", false, BuiltinRole::userAdmin),
          new BuiltinRole(
              "dbOwner",
              false,
              database ->
                  joined(List.of(readWrite(database), dbAdmin(database), userAdmin(database)))),
          ofAdmin("readAnyDatabase", readAnyDatabase()),
          ofAdmin("readWriteAnyDatabase", readWriteAnyDatabase()),
          ofAdmin("dbAdminAnyDatabase", dbAdminAnyDatabase()),
          ofAdmin("userAdminAnyDatabase", userAdminAnyDatabase()),
          ofAdmin("clusterMonitor", clusterMonitor()),
          ofAdmin("clusterManager", clusterManager()),
          ofAdmin("hostManager", hostManager()),
          ofAdmin("clusterAdmin", clusterAdmin()),
          ofAdmin("backup", backup()),
          ofAdmin("restore", restore()),
          ofAdmin("root", root()));

  private static BuiltinRole ofAdmin(String label, List<Privilege> privileges) {
    return new BuiltinRole(label, true, _ -> privileges);
  }

  private static List<Privilege> read(String database) {
    return List.of(on(database, "", READ), on(database, SCRIPTS, READ));
  }

  private static List<Privilege> readWrite(String database) {
    return List.of(on(database, "", READ_WRITE), on(database, SCRIPTS, READ_WRITE));
  }

  private static List<Privilege> dbAdmin(String database) {
    return List.of(on(database, "", DB_ADMIN), on(database, PROFILE, ADMIN_OF_PROFILE));
  }

  private static List<Privilege> userAdmin(String database) {
    return List.of(on(database, "", USER_ADMIN));
  }

  private static List<Privilege> readAnyDatabase() {
    return List.of(on("", "", READ), on("", SCRIPTS, READ), cluster("listDatabases"));
  }

  private static List<Privilege> readWriteAnyDatabase() {
    return joined(
        List.of(readAnyDatabase(), List.of(on("", "", READ_WRITE), on("", SCRIPTS, READ_WRITE))));
  }

  private static List<Privilege> dbAdminAnyDatabase() {
    return List.of(
        on("", "", DB_ADMIN), on("", PROFILE, ADMIN_OF_PROFILE), cluster("listDatabases"));
  }

  private static List<Privilege> userAdminAnyDatabase() {
    Set<String> indexed = with(READ, "createIndex", "dropIndex");
    return List.of(
        on("", "", USER_ADMIN),
        on("config", "", USER_ADMIN),
        on("local", "", USER_ADMIN),
        on(Users.ADMIN, USERS, indexed),
        on(Users.ADMIN, ROLES, indexed),
        on(Users.ADMIN, VERSION, READ),
        cluster("invalidateUserCache", "listDatabases", "viewUser"));
  }

  private static List<Privilege> clusterMonitor() {
    return joined(
        List.of(
            read("config"),
            read("local"),
            List.of(
                new Privilege(new Resource.Cluster(), MONITOR),
                on("", "", MONITOR_OF_COLLECTIONS),
                on("config", "", MONITOR_OF_COLLECTIONS),
                on("config", "system.sessions", MONITOR_OF_COLLECTIONS),
                on("local", "", MONITOR_OF_COLLECTIONS),
                on("", PROFILE, Set.of("find")))));
  }

  private static List<Privilege> clusterManager() {
    return joined(
        List.of(
            read("config"),
            List.of(
                new Privilege(new Resource.Cluster(), MANAGE_CLUSTER),
                on("config", "", CHANGE),
                on("local", "", CHANGE))));
  }

  private static List<Privilege> hostManager() {
    return List.of(
        new Privilege(new Resource.Cluster(), MANAGE_HOST), on("", "", Set.of("killCursors")));
  }

  private static List<Privilege> clusterAdmin() {
    return joined(
        List.of(
            clusterMonitor(),
            hostManager(),
            clusterManager(),
            List.of(on("", "", Set.of("dropDatabase")))));
  }

  private static List<Privilege> backup() {
    Set<String> find = Set.of("find");
    return List.of(
        new Privilege(
            new Resource.Anything(),
            Set.of("collStats", "listCollections", "listIndexes", "listSearchIndexes")),
        on("", "", find),
        on("config", "", find),
        on("local", "", find),
        on("", SCRIPTS, find),
        on("", PROFILE, find),
        on("", USERS, find),
        on(Users.ADMIN, ROLES, find),
        on(Users.ADMIN, VERSION, find),
        on("config", "settings", Set.of("insert", "update")),
        cluster(
            "appendOplogNote",
            "getParameter",
            "listDatabases",
            "serverStatus",
            "setUserWriteBlockMode",
            "useUUID"));
  }

  private static List<Privilege> restore() {
    return List.of(
        new Privilege(new Resource.Anything(), Set.of("listCollections")),
        on("", "", RESTORE),
        on("", "", USER_ADMIN),
        on("config", "", RESTORE),
        on("local", "", RESTORE),
        on("", SCRIPTS, RESTORE),
        on("", USERS, with(RESTORE, "find", "remove", "update")),
        on(Users.ADMIN, ROLES, Set.of("createIndex")),
        on(Users.ADMIN, VERSION, with(RESTORE, "find")),
        cluster("bypassWriteBlockingMode", "getParameter", "setUserWriteBlockMode", "useUUID"));
  }

  private static List<Privilege> root() {
    return joined(
        List.of(
            clusterAdmin(),
            userAdminAnyDatabase(),
            dbAdminAnyDatabase(),
            readWriteAnyDatabase(),
            backup(),
            restore(),
            List.of(new Privilege(new Resource.Anything(), Set.of("validate")))));
  }

  private static Privilege on(String database, String collection, Set<String> actions) {
    return new Privilege(new Resource.Named(database, collection), actions);
  }

  private static Privilege cluster(String... actions) {
    return new Privilege(new Resource.Cluster(), Set.of(actions));
  }

  private static Set<String> with(Set<String> actions, String... more) {
    Set<String> all = new TreeSet<>(actions);
    all.addAll(Arrays.asList(more));
    return Set.copyOf(all);
  }

  /** One privilege for each resource. */
  private static List<Privilege> joined(List<List<Privilege>> some) {
    return RoleForm.with(List.of(), some.stream().flatMap(List::stream).toList());
  }

  /** The privileges of the role in a database. */
  List<Privilege> privileges(String database) {
    return allowed.apply(database);
  }

  /** The actions of all built-in roles. */
  static Set<String> actions() {
    Set<String> actions = new TreeSet<>();
    for (BuiltinRole role : ALL) {
      role.privileges(Users.ADMIN).forEach(privilege -> actions.addAll(privilege.actions()));
    }
    return actions;
  }

  static Optional<BuiltinRole> labelled(String label) {
    return ALL.stream().filter(one -> one.label.equals(label)).findFirst();
  }
}
