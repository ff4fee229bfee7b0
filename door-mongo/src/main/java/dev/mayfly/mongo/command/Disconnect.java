package dev.mayfly.mongo.command;

/**
 * Thrown by a fail point to close the connection without a reply.
 *
 * <p>An {@link Error}, so that code that handles failed commands does not catch it.
 */
public final class Disconnect extends Error {
  private static final long serialVersionUID = 1L;

  public Disconnect() {
    super("a fail point closes the connection", null, false, false);
  }
}
