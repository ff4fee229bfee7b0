package dev.mayfly.mongo.command;

/**
 * Says that a request is not answered, and that its connection ends: what a test has asked for.
 *
 * <p>An error, so that nobody who deals with refusals takes it for one.
 */
public final class Disconnect extends Error {
  private static final long serialVersionUID = 1L;

  public Disconnect() {
    super("a fail point ends the connection", null, false, false);
  }
}
