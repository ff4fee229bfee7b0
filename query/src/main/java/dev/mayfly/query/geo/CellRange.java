package dev.mayfly.query.geo;

/**
 * Range of S2 cells by id, both ends inclusive; ids compare as signed numbers.
 *
 * @param from the first id
 * @param to the last id, equal to the first for a single cell
 */
public record CellRange(long from, long to) {}
