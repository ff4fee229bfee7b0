package dev.mayfly.mongo;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Destination of a command on several servers: which of them runs it.
 *
 * <p>Statements of a transaction go to the cell of its first statement instead, whatever their
 * command is.
 */
enum Destination {
  /** The server that the client is connected to. */
  HERE,
  /** The server of the cell that has the database. */
  DATABASE,
  /** The server of the home cell. */
  HOME,
  /** The server that has the cursor. */
  CURSOR,
  /** The server that runs the operation. */
  OPERATION,
  /** Every server, once for each cell that it serves. The replies are joined. */
  EVERY_CELL,
  /** Every server, once. The replies are joined. */
  EVERY_SERVER,
  /** None: several servers do not offer it. */
  NOWHERE;

  /** Commands that may create the database in which they run. */
  private static final Set<String> CREATING =
      Set.of(
          "aggregate",
          "bulkWrite",
          "cloneCollectionAsCapped",
          "create",
          "createIndexes",
          "findAndModify",
          "findandmodify",
          "insert",
          "update");

  private static final Map<String, Destination> BY_COMMAND = new HashMap<>();

  static {
    add(
        HERE,
        "_isSelf",
        "authenticate",
        "buildInfo",
        "buildinfo",
        "connPoolStats",
        "connectionStatus",
        "getCmdLineOpts",
        "getDefaultRWConcern",
        "getLog",
        "hello",
        "hostInfo",
        "isMaster",
        "ismaster",
        "listCommands",
        "listShards",
        "logRotate",
        "logout",
        "ping",
        "replSetGetConfig",
        "replSetGetStatus",
        "replSetInitiate",
        "saslContinue",
        "saslStart",
        "serverStatus",
        "setFeatureCompatibilityVersion",
        "shutdown",
        "top",
        "whatsmyuri");
    add(
        DATABASE,
        "aggregate",
        "bulkWrite",
        "cloneCollectionAsCapped",
        "collMod",
        "collStats",
        "collstats",
        "compact",
        "convertToCapped",
        "count",
        "create",
        "createIndexes",
        "dataSize",
        "datasize",
        "dbHash",
        "dbStats",
        "dbhash",
        "dbstats",
        "delete",
        "deleteIndexes",
        "distinct",
        "drop",
        "dropDatabase",
        "dropIndexes",
        "explain",
        "filemd5",
        "find",
        "findAndModify",
        "findandmodify",
        "insert",
        "listCollections",
        "listIndexes",
        "mayflyExplainExpiry",
        "mayflyForecast",
        "mayflyTouch",
        "mayflyUndoExpiry",
        "mayflyWarnings",
        "mayflyWhatIf",
        "planCacheClear",
        "planCacheClearFilters",
        "planCacheListFilters",
        "profile",
        "reIndex",
        "renameCollection",
        "update",
        "validate",
        // those of the cell of the first statement, if there was one
        "abortTransaction",
        "commitTransaction");
    add(
        HOME,
        "createRole",
        "createUser",
        "dropAllRolesFromDatabase",
        "dropAllUsersFromDatabase",
        "dropRole",
        "dropUser",
        "getParameter",
        "grantPrivilegesToRole",
        "grantRolesToRole",
        "grantRolesToUser",
        "revokePrivilegesFromRole",
        "revokeRolesFromRole",
        "revokeRolesFromUser",
        "rolesInfo",
        "setDefaultRWConcern",
        "setUserWriteBlockMode",
        "startSession",
        "updateRole",
        "updateUser",
        "usersInfo");
    add(CURSOR, "getMore", "killCursors");
    add(OPERATION, "killOp");
    add(
        EVERY_CELL,
        "endSessions",
        "fsync",
        "killAllSessions",
        "killAllSessionsByPattern",
        "killSessions",
        "listDatabases",
        "refreshSessions",
        "setParameter");
    add(EVERY_SERVER, "configureFailPoint", "currentOp");
    add(NOWHERE, "fsyncUnlock", "mayflyClock");
  }

  private static void add(Destination destination, String... commands) {
    for (String command : commands) {
      BY_COMMAND.put(command, destination);
    }
  }

  /** Returns the destination of a command; {@link #HERE} for one that does not exist. */
  static Destination of(String command) {
    return BY_COMMAND.getOrDefault(command, HERE);
  }

  /** Returns whether a command may create the database in which it runs. */
  static boolean creates(String command) {
    return CREATING.contains(command);
  }

  /** Returns the names of all commands, sorted. */
  static List<String> commands() {
    return BY_COMMAND.keySet().stream().sorted().toList();
  }
}
