package dev.mayfly.query.geo;

import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Region;

/** Polygon: inside a ring and outside of the holes in it. */
record AreaPart(S2Polygon polygon) implements GeometryPart {
  @Override
  public S2Region region() {
    return polygon;
  }

  @Override
  public boolean edges(EdgeSink sink) {
    boolean more = true;
    for (S2Loop loop : polygon.getLoops()) {
      for (int i = 0; more && i < loop.numVertices(); i++) {
        more = sink.edge(loop.vertex(i), loop.vertex(i + 1));
      }
    }
    return more;
  }

  @Override
  public S2Point start() {
    return polygon.loop(0).vertex(0);
  }

  boolean holds(PointPart point) {
    // The second test is slower, and includes the border.
    return polygon.contains(point.point()) || polygon.mayIntersect(point.cell());
  }

  boolean meets(LinePart line) {
    return holds(new PointPart(line.start())) || crosses(line);
  }

  @Override
  public boolean contains(GeometryPart other) {
    return switch (other) {
      case PointPart point -> holds(point);
      case LinePart line -> polygon.subtractFromPolyline(line.line()).isEmpty();
      case AreaPart area -> polygon.contains(area.polygon);
    };
  }

  @Override
  public boolean intersects(GeometryPart other) {
    return switch (other) {
      case PointPart point -> holds(point);
      case LinePart line -> meets(line);
      case AreaPart area -> polygon.intersects(area.polygon);
    };
  }
}
