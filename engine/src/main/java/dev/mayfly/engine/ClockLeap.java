package dev.mayfly.engine;

/**
 * A leap of the wall clock that is not confirmed.
 *
 * @param millis how far the wall clock is ahead of the monotonic clock; negative when it is behind
 * @param confirmedInMillis when the wall clock will be believed by itself; negative for never
 */
public record ClockLeap(long millis, long confirmedInMillis) {}
