package dev.mayfly.engine;

/**
 * Step of the wall clock that is not confirmed.
 *
 * @param millis how far the wall clock is ahead of the monotonic clock; negative if it is slow
 * @param confirmedInMillis when the wall clock is confirmed without an operator; negative for never
 */
public record ClockLeap(long millis, long confirmedInMillis) {}
