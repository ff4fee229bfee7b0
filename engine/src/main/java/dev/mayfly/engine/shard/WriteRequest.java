package dev.mayfly.engine.shard;

import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Write request of one caller to one shard: the writes, and later their outcomes and the ticket of
 * the commit. Belongs to the thread of the caller. A deferred request is guarded by the monitor of
 * its pending group until it is settled.
 */
public final class WriteRequest {
  private final List<Write> writes;
  private final WriteOptions options;

  private Optional<Receipts.Receipt> receipt = Optional.empty();
  private @Nullable List<WriteOutcome> outcomes;
  private @Nullable Throwable failure;
  private double charge;
  private long ticket = -1;
  private boolean attempted;
  private volatile boolean settled;

  WriteRequest(List<Write> writes, WriteOptions options) {
    this.writes = writes;
    this.options = options;
  }

  List<Write> writes() {
    return writes;
  }

  WriteOptions options() {
    return options;
  }

  OperationContext operation() {
    return options.operation();
  }

  /** The instant at which its writes are decided: that of the operation. */
  long instant() {
    return options.operation().now();
  }

  /** Records the decision, which takes effect with the commit. */
  void decided(List<WriteOutcome> decision, Optional<Receipts.Receipt> noted, double units) {
    outcomes = decision;
    receipt = noted;
    charge = units;
  }

  /** The receipt to keep after the commit, for a retry of this request. */
  Optional<Receipts.Receipt> receipt() {
    return receipt;
  }

  /** Records why it cannot be executed. Allocates nothing: memory may be exhausted. */
  void failed(Throwable reason) {
    failure = reason;
  }

  /** Fails all requests of a group. Allocates nothing: the failure may be lack of memory. */
  static void failAll(List<WriteRequest> requests, Throwable failure) {
    for (int i = 0; i < requests.size(); i++) {
      requests.get(i).failed(failure);
    }
  }

  /** Records that its commit has begun: after an error from now on the outcome is unknown. */
  void attempted() {
    attempted = true;
  }

  /** Records the ticket of its commit. */
  void committed(long ticketOfCommit) {
    ticket = ticketOfCommit;
  }

  /** Returns whether a thread has executed it or has recorded a failure. */
  boolean isDone() {
    return outcomes != null || failure != null;
  }

  /** Records that the pending groups with these requests are committed or have failed. */
  static void settleAll(List<WriteRequest> requests) {
    for (int i = 0; i < requests.size(); i++) {
      requests.get(i).settled = true;
    }
  }

  /** Returns whether a deferred request is committed or has failed. Needs no lock. */
  public boolean isSettled() {
    return settled;
  }

  /** Returns whether it has failed as a whole. */
  boolean hasFailed() {
    return failure != null;
  }

  /** The ticket to wait for the disk with; negative if nothing was written. */
  long ticket() {
    return ticket;
  }

  /** Returns whether it is committed and its caller waits until it survives a power failure. */
  boolean awaitsFlush() {
    return ticket >= 0 && options.durability() == Durability.SYNCED;
  }

  double charge() {
    return charge;
  }

  /**
   * Returns the outcomes, or throws the failure.
   *
   * @throws EngineException OUTCOME_UNKNOWN or FAILED after an {@link Error}
   */
  List<WriteOutcome> outcomes() {
    Throwable reason = failure;
    if (reason instanceof RuntimeException exception) {
      throw exception;
    }
    if (reason != null) {
      throw attempted
          ? EngineException.unknown("an error interrupted the commit of the write", reason)
          : EngineException.failed("an error interrupted the write; nothing was written", reason);
    }
    if (outcomes == null) {
      throw new IllegalStateException("the request is not executed yet");
    }
    return outcomes;
  }
}
