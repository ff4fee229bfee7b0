package dev.mayfly.query.geo;

import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polyline;
import com.google.common.geometry.S2Region;

/** A line along the shortest ways from vertex to vertex. */
record LinePiece(S2Polyline line) implements Piece {
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

  boolean holds(PointPiece point) {
    return line.mayIntersect(point.cell());
  }

  /** A line contains its points and itself. */
  @Override
  public boolean contains(Piece other) {
    return switch (other) {
      case PointPiece point -> holds(point);
      case LinePiece that -> line.equals(that.line);
      case AreaPiece _ -> false;
    };
  }

  @Override
  public boolean intersects(Piece other) {
    return switch (other) {
      case PointPiece point -> holds(point);
      case LinePiece that ->
          line.getRectBound().intersects(that.line.getRectBound()) && crosses(that);
      case AreaPiece area -> area.meets(this);
    };
  }
}
