package dev.mayfly.store.cassandra;

import java.time.Duration;

/**
 * Sizes at which a cell writes checkpoints, splits and renews leaves. Tests use tiny ones.
 *
 * @param checkpointBytes unflushed bytes that start a checkpoint
 * @param checkpointInterval time after which a checkpoint starts, however small
 * @param unflushedBytes unflushed bytes at which commits wait for the checkpoint
 * @param leafBytes size at which a leaf is renewed, that is split
 * @param leafRows rows at which a leaf is renewed
 * @param leafDeletes deletes at which a leaf is renewed
 * @param freshBytes size of a leaf that a renewal writes
 * @param partBytes size of a part of a value or log entry: one mutation of Cassandra
 * @param snapshotBytes unflushed bytes that open snapshots may hold back
 * @param snapshotLife how long an open snapshot may hold back a checkpoint
 * @param cacheBytes memory for records that were read
 */
public record CellLimits(
    long checkpointBytes,
    Duration checkpointInterval,
    long unflushedBytes,
    long leafBytes,
    long leafRows,
    long leafDeletes,
    long freshBytes,
    int partBytes,
    long snapshotBytes,
    Duration snapshotLife,
    long cacheBytes) {
  private static final long MAX_UNFLUSHED_BYTES = 256L << 20;
  private static final long MAX_CHECKPOINT_BYTES = 32L << 20;

  /** Returns the limits of a server with much memory. */
  public static CellLimits standard() {
    return within(4 * MAX_UNFLUSHED_BYTES);
  }

  /** Returns limits for a cell that may use this much memory: a quarter of it unflushed. */
  public static CellLimits within(long memory) {
    long unflushed = Math.min(MAX_UNFLUSHED_BYTES, memory / 4);
    return new CellLimits(
        Math.min(MAX_CHECKPOINT_BYTES, unflushed / 4),
        Duration.ofSeconds(30),
        unflushed,
        64L << 20,
        200_000,
        20_000,
        48L << 20,
        1 << 20,
        unflushed / 2,
        Duration.ofSeconds(60),
        memory / 2);
  }
}
