package dev.mayfly.query.geo;

/** Which side of a ring is inside. */
public enum Winding {
  /** The smaller one, whichever way round the ring is written. */
  SMALLER,
  /** The left one, as one goes along the ring: a ring written clockwise means all around it. */
  LEFT
}
