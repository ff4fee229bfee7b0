package dev.mayfly.cosmos.rest;

/** Says that a request cannot be answered at once: it has to wait, and where it is it must not. */
public final class Later extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Without a trace: it is no fault, and thrown where time counts. */
  public Later() {
    super("not at once", null, false, false);
  }
}
