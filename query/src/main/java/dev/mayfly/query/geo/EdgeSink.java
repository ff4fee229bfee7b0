package dev.mayfly.query.geo;

import com.google.common.geometry.S2Point;

/** Receives edges, each from a vertex to the next; returns false to stop. */
@FunctionalInterface
interface EdgeSink {
  boolean edge(S2Point from, S2Point to);
}
