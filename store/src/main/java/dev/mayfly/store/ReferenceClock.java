package dev.mayfly.store;

/** Clock of another machine. */
public interface ReferenceClock {
  /** Returns the name of the machine, for operators. */
  String name();

  /**
   * Returns the time of the machine, in milliseconds since the epoch, at an instant during the
   * call.
   *
   * @throws StoreException UNAVAILABLE if the machine does not answer
   */
  long read();
}
