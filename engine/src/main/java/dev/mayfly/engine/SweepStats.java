package dev.mayfly.engine;

/**
 * What the sweep has done and how far behind it is.
 *
 * @param documents swept since the engine was opened
 * @param bytes of documents swept since then
 * @param passes over a shard that found nothing more to sweep, since then
 * @param batches that removed them, each of them one commit
 * @param sweepNanos spent on these batches, what they looked at included
 * @param lagMillis the age of the oldest expired document still to be swept: how long ago it was
 *     due; 0 when none is
 * @param nextDue when the next document is due to be swept, in epoch milliseconds, or never
 */
public record SweepStats(
    long documents,
    long bytes,
    long passes,
    long batches,
    long sweepNanos,
    long lagMillis,
    long nextDue) {}
