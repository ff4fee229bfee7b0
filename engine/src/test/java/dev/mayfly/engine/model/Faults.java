package dev.mayfly.engine.model;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;

/**
 * Faults of a simulated disk: from a chosen call on, calls of a store fail, until the faults are
 * cleared. Used by one thread at a time.
 */
public final class Faults {
  /** Kind of fault. */
  enum Kind {
    /** Any call fails. */
    IO,
    /** Calls that write fail. */
    DISK_FULL,
    /** Commits end in an error of the virtual machine. */
    OUT_OF_MEMORY
  }

  /** Kind of call. */
  public enum Call {
    READ,
    COMMIT,
    COMPACT
  }

  private Kind kind = Kind.IO;
  private int before;
  private int failures;
  private boolean met;

  /**
   * Makes calls fail from now on.
   *
   * @param calls the number of affected calls that still succeed
   * @param many the number of calls that fail after these
   */
  void arm(Kind what, int calls, int many) {
    kind = what;
    before = calls;
    failures = many;
    met = false;
  }

  /** Makes all calls succeed from now on. */
  void disarm() {
    failures = 0;
  }

  /** Returns whether a call has failed since faults were last armed. */
  boolean met() {
    return met;
  }

  /** Fails if this call is to fail. */
  public void before(Call call) {
    if (failures == 0 || !concerns(call) || before-- > 0) {
      return;
    }
    failures--;
    met = true;
    switch (kind) {
      case IO -> throw new StoreException(Reason.IO, "simulated");
      case DISK_FULL -> throw new StoreException(Reason.DISK_FULL, "simulated");
      case OUT_OF_MEMORY -> throw new OutOfMemoryError("simulated");
    }
  }

  private boolean concerns(Call call) {
    return switch (kind) {
      case IO -> true;
      case DISK_FULL -> call != Call.READ;
      case OUT_OF_MEMORY -> call == Call.COMMIT;
    };
  }
}
