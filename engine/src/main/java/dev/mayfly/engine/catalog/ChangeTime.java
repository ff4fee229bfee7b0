package dev.mayfly.engine.catalog;

/**
 * Time of a change of a collection.
 *
 * @param now the instant of the change, in epoch milliseconds
 * @param read the oldest instant that an open cursor or transaction may read, at most {@code now}:
 *     the history must reach back to it
 * @param paused whether expiry is paused: a rule change then leaves no watermarks
 */
public record ChangeTime(long now, long read, boolean paused) {}
