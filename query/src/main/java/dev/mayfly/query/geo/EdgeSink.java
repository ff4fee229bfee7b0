package dev.mayfly.query.geo;

import com.google.common.geometry.S2Point;

/** Takes edges, each from a vertex to the next; false when no more are wanted. */
@FunctionalInterface
interface EdgeSink {
  boolean edge(S2Point from, S2Point to);
}
