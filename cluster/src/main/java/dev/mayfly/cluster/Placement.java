package dev.mayfly.cluster;

/** Which cells databases get. */
public enum Placement {
  /** Each database gets a cell of its own, until there are too many cells. */
  DATABASE,
  /** All databases are in the home cell. */
  SINGLE
}
