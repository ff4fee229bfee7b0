package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Access;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What MongoDB calls the things that can be allowed, and which of them commands need. */
final class Actions {
  /** All there are: those that are asked for here, and others that only MongoDB's servers have. */
  static final Set<String> KNOWN = known();

  /** By command, for those that need the same whatever they say. */
  private static final Map<String, Set<String>> NEEDED =
      Map.ofEntries(
          Map.entry("find", Set.of("find")),
          Map.entry("count", Set.of("find")),
          Map.entry("distinct", Set.of("find")),
          Map.entry("aggregate", Set.of("find")),
          Map.entry("explain", Set.of("find")),
          Map.entry("filemd5", Set.of("find")),
          Map.entry("dataSize", Set.of("find")),
          Map.entry("datasize", Set.of("find")),
          Map.entry("insert", Set.of("insert")),
          Map.entry("delete", Set.of("remove")),
          Map.entry("bulkWrite", Set.of("insert", "update", "remove")),
          Map.entry("create", Set.of("createCollection")),
          Map.entry("createIndexes", Set.of("createIndex")),
          Map.entry("drop", Set.of("dropCollection")),
          Map.entry("dropIndexes", Set.of("dropIndex")),
          Map.entry("deleteIndexes", Set.of("dropIndex")),
          Map.entry("renameCollection", Set.of("renameCollectionSameDB")),
          Map.entry("mayflyUndoExpiry", Set.of("collMod")),
          Map.entry("collMod", Set.of("collMod")),
          Map.entry("dropDatabase", Set.of("dropDatabase")),
          Map.entry("profile", Set.of("enableProfiler")),
          Map.entry("validate", Set.of("validate")),
          Map.entry("compact", Set.of("compact")),
          Map.entry("convertToCapped", Set.of("convertToCapped")),
          Map.entry("reIndex", Set.of("reIndex")),
          Map.entry("planCacheClear", Set.of("planCacheWrite")),
          Map.entry("planCacheClearFilters", Set.of("planCacheIndexFilter")),
          Map.entry("planCacheListFilters", Set.of("planCacheIndexFilter")),
          Map.entry("collStats", Set.of("collStats")),
          Map.entry("collstats", Set.of("collStats")),
          Map.entry("dbHash", Set.of("dbHash")),
          Map.entry("dbhash", Set.of("dbHash")),
          Map.entry("dbStats", Set.of("dbStats")),
          Map.entry("dbstats", Set.of("dbStats")),
          Map.entry("listCollections", Set.of("listCollections")),
          Map.entry("listIndexes", Set.of("listIndexes")),
          Map.entry("mayflyForecast", Set.of("collStats")),
          Map.entry("mayflyWhatIf", Set.of("collStats")),
          Map.entry("createUser", Set.of("createUser", "grantRole")),
          Map.entry(
              "updateUser",
              Set.of("changePassword", "changeCustomData", "grantRole", "revokeRole")),
          Map.entry("dropUser", Set.of("dropUser")),
          Map.entry("dropAllUsersFromDatabase", Set.of("dropUser")),
          Map.entry("grantRolesToUser", Set.of("grantRole")),
          Map.entry("revokeRolesFromUser", Set.of("revokeRole")),
          Map.entry("usersInfo", Set.of("viewUser")),
          Map.entry("createRole", Set.of("createRole", "grantRole")),
          Map.entry("updateRole", Set.of("grantRole", "revokeRole")),
          Map.entry("dropRole", Set.of("dropRole")),
          Map.entry("dropAllRolesFromDatabase", Set.of("dropRole")),
          Map.entry("grantPrivilegesToRole", Set.of("grantRole")),
          Map.entry("revokePrivilegesFromRole", Set.of("revokeRole")),
          Map.entry("grantRolesToRole", Set.of("grantRole")),
          Map.entry("revokeRolesFromRole", Set.of("revokeRole")),
          Map.entry("serverStatus", Set.of("serverStatus")),
          Map.entry("hostInfo", Set.of("hostInfo")),
          Map.entry("getCmdLineOpts", Set.of("getCmdLineOpts")),
          Map.entry("getLog", Set.of("getLog")),
          Map.entry("top", Set.of("top")),
          Map.entry("replSetGetStatus", Set.of("replSetGetStatus")),
          Map.entry("replSetGetConfig", Set.of("replSetGetConfig")),
          Map.entry("currentOp", Set.of("inprog")),
          Map.entry("killOp", Set.of("killop")),
          Map.entry("setParameter", Set.of("setParameter")),
          Map.entry("fsync", Set.of("fsync")),
          Map.entry("fsyncUnlock", Set.of("unlock")),
          Map.entry("connPoolStats", Set.of("connPoolStats")),
          Map.entry("logRotate", Set.of("logRotate")),
          Map.entry("shutdown", Set.of("shutdown")),
          Map.entry("killAllSessions", Set.of("killAnySession")),
          Map.entry("killAllSessionsByPattern", Set.of("killAnySession")),
          Map.entry("setDefaultRWConcern", Set.of("setDefaultRWConcern")),
          Map.entry("setUserWriteBlockMode", Set.of("setUserWriteBlockMode")),
          Map.entry("setFeatureCompatibilityVersion", Set.of("setFeatureCompatibilityVersion")));

  private Actions() {}

  private static Set<String> known() {
    Set<String> known = new TreeSet<>();
    Arrays.stream(Access.values()).map(Actions::of).forEach(known::addAll);
    known.addAll(
        List.of(
            "anyAction",
            "bypassDocumentValidation",
            "collStats",
            "createRole",
            "dropRole",
            "internal",
            "invalidateUserCache",
            "killAnyCursor",
            "listShards",
            "netstat",
            "replSetConfigure",
            "replSetStateChange",
            "storageDetails",
            "useUUID",
            "viewRole"));
    return Set.copyOf(known);
  }

  /** Which actions a command needs; empty when no action lets it run. */
  static Optional<Set<String>> needed(Request request) {
    return switch (request.name()) {
      case "update" -> Optional.of(updates(anyUpserts(request)));
      case "findAndModify", "findandmodify" -> {
        Set<String> needed =
            request.flag("remove", false)
                ? new HashSet<>(Set.of("remove"))
                : updates(request.flag("upsert", false));
        needed.add("find");
        yield Optional.of(needed);
      }
      case String name -> Optional.ofNullable(NEEDED.get(name));
    };
  }

  private static Set<String> updates(boolean upserts) {
    return new HashSet<>(upserts ? Set.of("update", "insert") : Set.of("update"));
  }

  private static boolean anyUpserts(Request request) {
    return request.documents("updates").stream()
        .map((Document update) -> update.field("upsert"))
        .anyMatch(upsert -> !upsert.isMissing() && !upsert.equals(Value.FALSE));
  }

  /** Which kind of access lets built-in roles do an action. */
  static Optional<Access> accessOf(String action) {
    return Arrays.stream(Access.values()).filter(one -> of(one).contains(action)).findFirst();
  }

  /** What MongoDB calls the things that an access allows. */
  static List<String> of(Access access) {
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
      case MANAGE ->
          List.of(
              "collMod",
              "compact",
              "convertToCapped",
              "dropDatabase",
              "enableProfiler",
              "planCacheIndexFilter",
              "planCacheRead",
              "planCacheWrite",
              "reIndex",
              "validate");
      case INSPECT ->
          List.of("collStats", "dbStats", "indexStats", "listCollections", "listIndexes", "dbHash");
      case USERS ->
          List.of(
              "changeCustomData",
              "changePassword",
              "createRole",
              "createUser",
              "dropRole",
              "dropUser",
              "grantRole",
              "revokeRole",
              "viewRole",
              "viewUser");
      case MONITOR ->
          List.of(
              "connPoolStats",
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
      case OPERATE ->
          List.of(
              "fsync",
              "killAnySession",
              "killAnyCursor",
              "killop",
              "logRotate",
              "setDefaultRWConcern",
              "setFeatureCompatibilityVersion",
              "setParameter",
              "setUserWriteBlockMode",
              "shutdown",
              "unlock");
      case ANYONE, KNOWN, AGGREGATE, BULK_WRITE -> List.of();
    };
  }
}
