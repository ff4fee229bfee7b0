package dev.mayfly.query.geo;

import com.google.common.geometry.S2EdgeUtil;
import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Region;

/** What lies inside of a ring and outside of the holes in it. */
record AreaPiece(S2Polygon polygon) implements Piece {
  @Override
  public S2Region region() {
    return polygon;
  }

  @Override
  public void edges(EdgeSink sink) {
    for (S2Loop loop : polygon.getLoops()) {
      for (int i = 0; i < loop.numVertices(); i++) {
        sink.edge(loop.vertex(i), loop.vertex(i + 1));
      }
    }
  }

  @Override
  public S2Point start() {
    return polygon.loop(0).vertex(0);
  }

  boolean holds(PointPiece point) {
    // The second question is the slower one, and knows the border.
    return polygon.contains(point.point()) || polygon.mayIntersect(point.cell());
  }

  boolean meets(LinePiece line) {
    return holds(new PointPiece(line.start())) || crosses(line);
  }

  private boolean crosses(LinePiece line) {
    boolean[] crosses = {false};
    line.edges((a, b) -> edges((c, d) -> crosses[0] |= S2EdgeUtil.robustCrossing(a, b, c, d) >= 0));
    return crosses[0];
  }

  @Override
  public boolean contains(Piece other) {
    return switch (other) {
      case PointPiece point -> holds(point);
      case LinePiece line -> polygon.subtractFromPolyline(line.line()).isEmpty();
      case AreaPiece area -> polygon.contains(area.polygon);
    };
  }

  @Override
  public boolean intersects(Piece other) {
    return switch (other) {
      case PointPiece point -> holds(point);
      case LinePiece line -> meets(line);
      case AreaPiece area -> polygon.intersects(area.polygon);
    };
  }
}
