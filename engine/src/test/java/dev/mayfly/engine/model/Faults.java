package dev.mayfly.engine.model;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;

/**
 * Faults of a simulated disk: from a chosen call on, calls of a store fail, until the disk is well
 * again. Used by one thread at a time.
 */
public final class Faults {
  /** What goes wrong. */
  enum Kind {
    /** Any call fails. */
    IO,
    /** Calls that write fail. */
    DISK_FULL,
    /** Commits end in an error of the virtual machine. */
    OUT_OF_MEMORY
  }

  /** What is asked of the disk. */
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
   * Lets calls fail from now on.
   *
   * @param calls how many of the calls that are concerned still succeed
   * @param many how many fail after these
   */
  void arm(Kind what, int calls, int many) {
    kind = what;
    before = calls;
    failures = many;
    met = false;
  }

  /** Lets all calls succeed from now on. */
  void disarm() {
    failures = 0;
  }

  /** Whether a call has failed since faults were last armed. */
  boolean met() {
    return met;
  }

  /** Fails if it is the turn of this call. */
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
