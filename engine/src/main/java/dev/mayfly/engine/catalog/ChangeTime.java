package dev.mayfly.engine.catalog;

/**
 * When something is done to a collection as a whole.
 *
 * @param now the instant
 * @param read the oldest instant at which somebody still reads, at most now: what was live then
 *     must be told from what was not
 * @param paused whether nothing expires at present: a change of rules then finds nothing expired
 */
public record ChangeTime(long now, long read, boolean paused) {}
