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
    Duration snapshotLife) {
  /** Returns the limits of a server. */
  public static CellLimits standard() {
    return new CellLimits(
        32L << 20,
        Duration.ofSeconds(30),
        256L << 20,
        64L << 20,
        200_000,
        20_000,
        48L << 20,
        1 << 20,
        128L << 20,
        Duration.ofSeconds(60));
  }
}
