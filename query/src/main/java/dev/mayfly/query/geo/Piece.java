package dev.mayfly.query.geo;

import com.google.common.geometry.S2Cell;
import com.google.common.geometry.S2CellId;
import com.google.common.geometry.S2EdgeUtil;
import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2PointRegion;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;
import com.google.common.geometry.S2Region;
import java.util.List;

/**
 * One connected part of a geometry: a point, a line or an area.
 *
 * <p>What lies on the border of an area belongs to it, to the precision of the smallest cells.
 */
sealed interface Piece {
  /** Edges from each vertex to the next. */
  interface EdgeSink {
    void edge(S2Point from, S2Point to);
  }

  S2Region region();

  /** The cells that it is kept under. */
  default List<Long> keys() {
    return Cells.keys(region());
  }

  /** Gives all edges; a point is an edge from itself to itself. */
  void edges(EdgeSink sink);

  /** A vertex, which belongs to it. */
  S2Point start();

  boolean contains(Piece other);

  boolean intersects(Piece other);

  /** The shortest way between the two, in radians. */
  default double radiansTo(Piece other) {
    if (this instanceof Point(S2Point a) && other instanceof Point(S2Point b)) {
      return a.angle(b);
    }
    if (intersects(other)) {
      return 0;
    }
    double[] least = {Math.PI};
    edges((a, b) -> other.edges((c, d) -> least[0] = Math.min(least[0], radians(a, b, c, d))));
    return least[0];
  }

  /** Between edges that do not cross, the shortest way begins at an end of one of them. */
  private static double radians(S2Point a, S2Point b, S2Point c, S2Point d) {
    double fromFirst = Math.min(radians(a, c, d), radians(b, c, d));
    return Math.min(fromFirst, Math.min(radians(c, a, b), radians(d, a, b)));
  }

  private static double radians(S2Point point, S2Point from, S2Point to) {
    return from.equalsPoint(to)
        ? point.angle(from)
        : S2EdgeUtil.getDistance(point, from, to).radians();
  }

  /** A single place. */
  record Point(S2Point point) implements Piece {
    S2Cell cell() {
      return new S2Cell(S2CellId.fromPoint(point));
    }

    @Override
    public S2Region region() {
      return new S2PointRegion(point);
    }

    @Override
    public List<Long> keys() {
      return List.of(S2CellId.fromPoint(point).id());
    }

    @Override
    public void edges(EdgeSink sink) {
      sink.edge(point, point);
    }

    @Override
    public S2Point start() {
      return point;
    }

    @Override
    public boolean contains(Piece other) {
      return other instanceof Point && intersects(other);
    }

    @Override
    public boolean intersects(Piece other) {
      return switch (other) {
        case Point(S2Point that) -> S2CellId.fromPoint(point).equals(S2CellId.fromPoint(that));
        case Line line -> line.holds(this);
        case Area area -> area.holds(this);
      };
    }
  }

  /** A line along the shortest ways from vertex to vertex. */
  record Line(S2Polyline line) implements Piece {
    @Override
    public S2Region region() {
      return line;
    }

    @Override
    public void edges(EdgeSink sink) {
      for (int i = 1; i < line.numVertices(); i++) {
        sink.edge(line.vertex(i - 1), line.vertex(i));
      }
    }

    @Override
    public S2Point start() {
      return line.vertex(0);
    }

    boolean holds(Point point) {
      return line.mayIntersect(point.cell());
    }

    /** A line contains its points and itself. */
    @Override
    public boolean contains(Piece other) {
      return switch (other) {
        case Point point -> holds(point);
        case Line that -> line.equals(that.line);
        case Area _ -> false;
      };
    }

    @Override
    public boolean intersects(Piece other) {
      return switch (other) {
        case Point point -> holds(point);
        case Line that -> line.intersects(that.line);
        case Area area -> area.meets(this);
      };
    }
  }

  /** What lies inside of a ring and outside of the holes in it. */
  record Area(S2Polygon polygon) implements Piece {
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

    boolean holds(Point point) {
      // The second question is the slower one, and knows the border.
      return polygon.contains(point.point()) || polygon.mayIntersect(point.cell());
    }

    boolean meets(Line line) {
      return holds(new Point(line.start())) || crosses(line);
    }

    private boolean crosses(Line line) {
      boolean[] crosses = {false};
      line.edges(
          (a, b) -> edges((c, d) -> crosses[0] |= S2EdgeUtil.robustCrossing(a, b, c, d) >= 0));
      return crosses[0];
    }

    @Override
    public boolean contains(Piece other) {
      return switch (other) {
        case Point point -> holds(point);
        case Line line -> polygon.subtractFromPolyline(line.line()).isEmpty();
        case Area area -> polygon.contains(area.polygon);
      };
    }

    @Override
    public boolean intersects(Piece other) {
      return switch (other) {
        case Point point -> holds(point);
        case Line line -> meets(line);
        case Area area -> polygon.intersects(area.polygon);
      };
    }
  }
}
