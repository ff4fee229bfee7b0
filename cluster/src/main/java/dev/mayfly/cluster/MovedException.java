package dev.mayfly.cluster;

/**
 * This server does not serve a cell, or no longer. The operation has to be repeated at its new
 * owner; what is known about its effect depends on the place where this is thrown.
 */
public final class MovedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int cell;

  public MovedException(int cell) {
    super("cell " + cell + " is served by another server", null, false, false);
    this.cell = cell;
  }

  public int cell() {
    return cell;
  }
}
