package dev.mayfly.engine;

/**
 * Says that something cannot be done without waiting: for a disk, for somebody else, for long.
 * Nothing was done; it is to be done again where waiting holds up nobody.
 *
 * <p>An error, so that nobody who deals with refusals takes it for one.
 */
public final class WouldBlock extends Error {
  private static final long serialVersionUID = 1L;

  /** Where it comes from is of no interest, and it is thrown often: it has no stack trace. */
  public WouldBlock() {
    super("it cannot be done without waiting", null, false, false);
  }
}
