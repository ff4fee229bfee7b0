package dev.mayfly.engine.shard;

import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.Retry;
import org.jspecify.annotations.Nullable;

/**
 * Options of writes outside of transactions.
 *
 * @param retry the retryable write number; null for writes that are not retryable
 * @param operation the operation that writes: it may stop while it waits for a transaction, and is
 *     renewed after the wait
 */
public record WriteOptions(
    Grouping grouping, Durability durability, @Nullable Retry retry, OperationContext operation) {
  /** Returns the options for the writes from an index on. */
  WriteOptions from(int index) {
    return new WriteOptions(
        grouping, durability, retry == null ? null : retry.from(index), operation);
  }

  /** Returns the options for the single write at an index. */
  public WriteOptions forWrite(int index) {
    return new WriteOptions(
        Grouping.ATOMIC, durability, retry == null ? null : retry.from(index), operation);
  }
}
