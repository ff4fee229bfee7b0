package dev.mayfly.mongo.command;

/** What a client must be allowed to do before a command runs for it. */
public enum Access {
  /** Nothing: not even who it is. */
  ANYONE,
  /** To have proved who it is. */
  KNOWN,
  /** To read the collection, or the database when the command names no collection. */
  READ,
  /** To change documents of the collection. */
  WRITE,
  /** To read, and to change what the pipeline writes into. */
  AGGREGATE,
  /** To change documents of every collection the operations name. */
  BULK_WRITE,
  /** To create and drop collections and indexes. */
  SCHEMA,
  /** To change how a collection or the database works, and to drop the database. */
  MANAGE,
  /** To see which collections and indexes there are, and how large. */
  INSPECT,
  /** To change users and roles of the database. */
  USERS,
  /** To see what the server does. */
  MONITOR,
  /** To change how the server works. */
  OPERATE
}
