package dev.mayfly.engine;

/**
 * Statistics of the sweep.
 *
 * @param documents swept since the engine was opened
 * @param bytes of documents swept since then
 * @param passes over a shard that found nothing more to sweep, since then
 * @param batches commits that removed them
 * @param sweepNanos time spent on these batches, reading included
 * @param lagMillis the age of the oldest expired document still to be swept: how long ago it was
 *     due; 0 if there is none
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
