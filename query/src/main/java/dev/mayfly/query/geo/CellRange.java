package dev.mayfly.query.geo;

/**
 * A stretch of cells in the order of their ids, both ends included; ids compare as signed numbers.
 *
 * @param from the first id
 * @param to the last id, the first again for a single cell
 */
public record CellRange(long from, long to) {}
