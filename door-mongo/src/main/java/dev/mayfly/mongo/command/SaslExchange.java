package dev.mayfly.mongo.command;

import dev.mayfly.mql.CommandException;

/** A login in progress: what the client says is answered until both are done. */
public interface SaslExchange {
  /**
   * Takes what the client says and answers it.
   *
   * @throws CommandException AUTHENTICATION_FAILED
   */
  Turn next(String message);

  /** An answer, and whether it was the last. */
  record Turn(String message, boolean done) {}
}
