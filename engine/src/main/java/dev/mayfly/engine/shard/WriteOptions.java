package dev.mayfly.engine.shard;

import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Retry;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How writes outside of transactions are to be done.
 *
 * @param retry lets them be sent again; null for writes that are not
 * @param check called now and then while a transaction holds one of their documents; what it throws
 *     ends the wait, and nothing was written
 * @param clock the time by which they go when they had to wait
 */
public record WriteOptions(
    Grouping grouping,
    Durability durability,
    @Nullable Retry retry,
    Runnable check,
    LongSupplier clock) {
  /** This for one write alone, which is the one at that place of the whole. */
  public WriteOptions ofOne(int place) {
    return new WriteOptions(
        Grouping.ATOMIC, durability, retry == null ? null : retry.from(place), check, clock);
  }
}
