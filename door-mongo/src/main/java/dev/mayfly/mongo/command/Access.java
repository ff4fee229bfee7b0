package dev.mayfly.mongo.command;

/**
 * What kind of work a command does, as far as locks of writes and logins ask. What its user must be
 * allowed is another matter, and up to its arguments.
 */
public enum Access {
  /** For everybody, logged in or not. */
  ANYONE,
  /** About the session, cursor or connection of the client. */
  KNOWN,
  /** Reads documents. */
  READ,
  /** Changes documents of a collection. */
  WRITE,
  /** Reads documents, and writes where its pipeline says. */
  AGGREGATE,
  /** Changes documents of several collections. */
  BULK_WRITE,
  /** Creates and drops collections and indexes. */
  SCHEMA,
  /** Changes how a collection or a database works, or drops the database. */
  MANAGE,
  /** Shows which collections, indexes, users and roles there are. */
  INSPECT,
  /** Changes users and roles. */
  USERS,
  /** Shows what the server does. */
  MONITOR,
  /** Changes how the server works. */
  OPERATE
}
