package dev.mayfly.query.geo;

import com.google.common.geometry.S2EdgeUtil;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Region;
import dev.mayfly.query.limit.Interrupt;
import java.util.List;

/**
 * One connected part of a geometry: a point, a line or a polygon.
 *
 * <p>The border of a polygon belongs to it, to the precision of leaf cells.
 */
sealed interface GeometryPart permits PointPart, LinePart, AreaPart {
  S2Region region();

  /** Returns the cells that it is indexed under. */
  default List<Long> keys() {
    return Cells.keys(region());
  }

  /**
   * Passes edges to the sink until it stops; a point is an edge from itself to itself.
   *
   * @return whether the sink accepted all edges
   */
  boolean edges(EdgeSink sink);

  /** Returns whether an edge crosses or touches one of the other. */
  default boolean crosses(GeometryPart other) {
    Interrupt interrupt = Interrupt.current();
    return !edges(
        (a, b) ->
            other.edges(
                (c, d) -> {
                  interrupt.step();
                  return S2EdgeUtil.robustCrossing(a, b, c, d) < 0;
                }));
  }

  /** Returns a vertex of this part. */
  S2Point start();

  boolean contains(GeometryPart other);

  boolean intersects(GeometryPart other);

  /** Returns the shortest distance between the two, in radians. */
  default double radiansTo(GeometryPart other) {
    if (this instanceof PointPart(S2Point a) && other instanceof PointPart(S2Point b)) {
      return a.angle(b);
    }
    return intersects(other) ? 0 : edgeRadians(other);
  }

  private double edgeRadians(GeometryPart other) {
    Interrupt interrupt = Interrupt.current();
    double[] least = {Math.PI};
    edges(
        (a, b) ->
            other.edges(
                (c, d) -> {
                  interrupt.step();
                  least[0] = Math.min(least[0], radians(a, b, c, d));
                  return true;
                }));
    return least[0];
  }

  /** Returns the shortest distance between the two on earth, in metres. */
  default double metresTo(GeometryPart other) {
    if (this instanceof PointPart(S2Point a) && other instanceof PointPart(S2Point b)) {
      return Wgs84.metres(a, b);
    }
    if (intersects(other)) {
      return 0;
    }
    double reach = edgeRadians(other) * Wgs84.SPREAD;
    Interrupt interrupt = Interrupt.current();
    double[] least = {Double.POSITIVE_INFINITY};
    edges(
        (a, b) ->
            other.edges(
                (c, d) -> {
                  interrupt.step();
                  if (radians(a, b, c, d) <= reach) {
                    interrupt.step(Wgs84.STEPS);
                    least[0] = Math.min(least[0], Wgs84.metres(a, b, c, d));
                  }
                  return true;
                }));
    return least[0];
  }

  /** The shortest path between edges that do not cross begins at an end of one of them. */
  private static double radians(S2Point a, S2Point b, S2Point c, S2Point d) {
    double fromFirst = Math.min(radians(a, c, d), radians(b, c, d));
    return Math.min(fromFirst, Math.min(radians(c, a, b), radians(d, a, b)));
  }

  private static double radians(S2Point point, S2Point from, S2Point to) {
    return from.equalsPoint(to)
        ? point.angle(from)
        : S2EdgeUtil.getDistance(point, from, to).radians();
  }
}
