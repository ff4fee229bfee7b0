package dev.mayfly.query.geo;

import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polyline;
import com.google.common.geometry.S2Region;

/** Geodesic line from vertex to vertex. */
record LinePart(S2Polyline line) implements GeometryPart {
  @Override
  public S2Region region() {
    return line;
  }

  @Override
  public boolean edges(EdgeSink sink) {
    boolean more = true;
    for (int i = 1; more && i < line.numVertices(); i++) {
      more = sink.edge(line.vertex(i - 1), line.vertex(i));
    }
    return more;
  }

  @Override
  public S2Point start() {
    return line.vertex(0);
  }

  boolean holds(PointPart point) {
    return line.mayIntersect(point.cell());
  }

  /** A line contains its points and itself. */
  @Override
  public boolean contains(GeometryPart other) {
    return switch (other) {
      case PointPart point -> holds(point);
      case LinePart that -> line.equals(that.line);
      case AreaPart _ -> false;
    };
  }

  @Override
  public boolean intersects(GeometryPart other) {
    return switch (other) {
      case PointPart point -> holds(point);
      case LinePart that ->
          line.getRectBound().intersects(that.line.getRectBound()) && crosses(that);
      case AreaPart area -> area.meets(this);
    };
  }
}
