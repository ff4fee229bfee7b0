package dev.mayfly.mongo;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;

/**
 * What commands run against: the engine of one cell ({@link MongoBackend}), or the server itself
 * ({@link ServerScope}). Thread-safe.
 */
interface CommandScope {
  /** Returns whether requests on a database are profiled, which may block. */
  boolean profiles(String database);

  /** Called before each request: marks its session as used. */
  void begin(Request request);

  /** Runs the command of a request. */
  void run(Request request, DocumentWriter reply);

  /** Called when a request has ended. */
  void answered(Request request, boolean done);

  /** Returns whether a cursor is open here. */
  boolean hasCursor(long id);
}
