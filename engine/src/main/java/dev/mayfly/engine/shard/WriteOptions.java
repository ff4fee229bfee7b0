package dev.mayfly.engine.shard;

import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Retry;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Options of writes outside of transactions.
 *
 * @param retry the retryable write number; null for writes that are not retryable
 * @param check called repeatedly while the write waits for a transaction; an exception from it ends
 *     the wait, and nothing is written
 * @param clock the time at which the writes are decided after a wait
 */
public record WriteOptions(
    Grouping grouping,
    Durability durability,
    @Nullable Retry retry,
    Runnable check,
    LongSupplier clock) {
  /** Returns the options for the writes from an index on. */
  WriteOptions from(int index) {
    return new WriteOptions(
        grouping, durability, retry == null ? null : retry.from(index), check, clock);
  }

  /** Returns the options for the single write at an index. */
  public WriteOptions forWrite(int index) {
    return new WriteOptions(
        Grouping.ATOMIC, durability, retry == null ? null : retry.from(index), check, clock);
  }
}
