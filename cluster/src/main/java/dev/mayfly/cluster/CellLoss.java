package dev.mayfly.cluster;

import dev.mayfly.engine.EngineException;
import dev.mayfly.store.StoreException;
import org.jspecify.annotations.Nullable;

/** Whether an operation failed because its server has lost the cell, and what is known then. */
public enum CellLoss {
  /** The failure has another reason. */
  NONE,
  /** The operation has had no effect: it can be repeated at the new owner. */
  NOTHING_DONE,
  /** The operation may have had its effect. */
  UNKNOWN;

  /** Classifies the failure of an operation on the engine of a shared cell. */
  public static CellLoss of(RuntimeException failure) {
    CellLoss loss = NONE;
    for (Throwable cause = failure; cause != null && loss == NONE; cause = cause.getCause()) {
      loss = ofOne(cause);
    }
    return loss == NOTHING_DONE && isUnknown(failure) ? UNKNOWN : loss;
  }

  private static CellLoss ofOne(@Nullable Throwable failure) {
    return switch (failure) {
      case MovedException _ -> NOTHING_DONE;
      case StoreException store ->
          switch (store.reason()) {
            case FENCED, CLOSED -> NOTHING_DONE;
            case UNSURE -> UNKNOWN;
            case CORRUPT, DISK_FULL, IN_USE, NEWER_FORMAT, UNAVAILABLE, SNAPSHOT_GONE, IO -> NONE;
          };
      case EngineException engine when engine.reason() == EngineException.Reason.CLOSED ->
          NOTHING_DONE;
      case null, default -> NONE;
    };
  }

  private static boolean isUnknown(RuntimeException failure) {
    return failure instanceof EngineException engine
        && engine.reason() == EngineException.Reason.OUTCOME_UNKNOWN;
  }
}
