package dev.mayfly.mongo.command;

/**
 * Category of a command, for the write lock and the check whether a login is required. The
 * privileges that a command requires depend on its arguments and are determined elsewhere.
 */
public enum Access {
  /** Requires no login. */
  ANYONE,
  /** Uses only the session, cursor or connection of the client; requires a login. */
  KNOWN,
  /** Reads documents. */
  READ,
  /** Changes documents of a collection. */
  WRITE,
  /** Reads documents; writes if the pipeline has {@code $out} or {@code $merge}. */
  AGGREGATE,
  /** Changes documents of several collections. */
  BULK_WRITE,
  /** Creates and drops collections and indexes. */
  SCHEMA,
  /** Changes how a collection or a database works, or drops the database. */
  MANAGE,
  /** Lists collections, indexes, users or roles. */
  INSPECT,
  /** Changes users and roles. */
  USERS,
  /** Reports the state of the server. */
  MONITOR,
  /** Changes how the server works. */
  OPERATE
}
