package dev.mayfly.engine.deliver;

import dev.mayfly.engine.shard.ArchiveQueue.Image;
import java.util.List;

/**
 * Target of deliveries of one collection. Used by one thread at a time. After an exception it is
 * closed and another one is made for the next attempt.
 */
interface Delivery extends AutoCloseable {
  /**
   * Delivers images; on return they survive a power failure, as far as the target is ours.
   *
   * @param shard the number of their shard
   * @param images in order; not empty
   * @param now in epoch milliseconds
   * @throws DeliveryException if it fails; it may have been done in part
   */
  void deliver(int shard, List<Image> images, long now);

  /** Called from time to time when nothing is to be delivered. */
  default void idle(long now) {}

  /** Ends it, and a delivery in progress. Any thread may call this. */
  @Override
  default void close() {}
}
