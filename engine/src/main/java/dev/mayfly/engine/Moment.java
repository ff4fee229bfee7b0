package dev.mayfly.engine;

/**
 * When something is done to a collection as a whole.
 *
 * @param now the instant
 * @param read the oldest instant at which somebody still reads, at most now: what was live then
 *     must be told from what was not
 */
record Moment(long now, long read) {}
