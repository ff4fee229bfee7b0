package dev.mayfly.mongo.command;

import dev.mayfly.mql.CommandException;

/** SASL authentication in progress. For one thread. */
public interface SaslExchange {
  /**
   * Processes a message of the client and returns the reply.
   *
   * @throws CommandException AUTHENTICATION_FAILED
   */
  Turn next(String message);

  /** A message of the server, and whether it is the last. */
  record Turn(String message, boolean done) {}
}
