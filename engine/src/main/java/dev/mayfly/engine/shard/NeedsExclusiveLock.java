package dev.mayfly.engine.shard;

/**
 * Thrown if a write cannot be decided while it shares the shard's lock with other writes. Nothing
 * of it is in the batch. The caller takes the lock exclusively and decides the write again.
 */
final class NeedsExclusiveLock extends RuntimeException {
  private static final long serialVersionUID = 1;

  NeedsExclusiveLock(String reason) {
    super(reason, null, false, false);
  }
}
