package dev.mayfly.engine.shard;

import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one caller on their way through a shard: brought by the caller, carried out by
 * whoever has the shard's lock, perhaps together with those of others. Guarded by that lock.
 */
public final class WriteRequest {
  private final List<Write> writes;
  private final WriteOptions options;
  private final long instant;

  private Optional<Receipts.Receipt> receipt = Optional.empty();
  private @Nullable List<WriteOutcome> outcomes;
  private @Nullable Throwable failure;
  private double charge;
  private long ticket = -1;
  private boolean attempted;
  private volatile boolean settled;

  /**
   * @param instant when the caller came
   */
  WriteRequest(List<Write> writes, WriteOptions options, long instant) {
    this.writes = writes;
    this.options = options;
    this.instant = instant;
  }

  List<Write> writes() {
    return writes;
  }

  WriteOptions options() {
    return options;
  }

  long instant() {
    return instant;
  }

  /** Whether it can be decided in one group with others: one write is refused without a trace. */
  boolean joins() {
    return writes.size() == 1;
  }

  /** Notes what was decided; it counts once it is committed. */
  void decided(List<WriteOutcome> decision, Optional<Receipts.Receipt> noted, double units) {
    outcomes = decision;
    receipt = noted;
    charge = units;
  }

  /** What to remember of it for a caller that asks again, once it is committed. */
  Optional<Receipts.Receipt> receipt() {
    return receipt;
  }

  /** Notes why it cannot be carried out. Allocates nothing: memory may be used up. */
  void failed(Throwable reason) {
    failure = reason;
  }

  /** Notes that its commit has begun: an error from now on leaves open whether it was done. */
  void attempted() {
    attempted = true;
  }

  void committed(long ticketOfCommit) {
    ticket = ticketOfCommit;
  }

  /** Whether somebody has carried it out, or has found that it cannot be. */
  boolean over() {
    return outcomes != null || failure != null;
  }

  /** Notes that a turn decided in advance is committed, or has failed. */
  void settled() {
    settled = true;
  }

  /** Whether a turn decided in advance is committed, or has failed; not guarded. */
  public boolean isSettled() {
    return settled;
  }

  /** Whether it was refused altogether. */
  boolean refused() {
    return failure != null;
  }

  /** To wait for the disk with; negative when nothing was written. */
  long ticket() {
    return ticket;
  }

  /** Whether it was committed and is to survive a loss of power before the caller goes on. */
  boolean awaitsFlush() {
    return ticket >= 0 && options.durability() == Durability.SYNCED;
  }

  double charge() {
    return charge;
  }

  /**
   * What became of it; throws what it failed with.
   *
   * @throws EngineException OUTCOME_UNKNOWN or FAILED after an error of the machine
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
      throw new IllegalStateException("nobody has carried it out yet");
    }
    return outcomes;
  }
}
