package dev.mayfly.query.geo;

/** Which side of a ring is inside. */
public enum Winding {
  /** The smaller one, regardless of the direction of the ring. */
  SMALLER,
  /** The left one in the direction of the ring: a clockwise ring contains everything around it. */
  LEFT
}
