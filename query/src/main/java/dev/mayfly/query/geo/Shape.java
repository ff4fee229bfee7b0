package dev.mayfly.query.geo;

import com.google.common.geometry.S1Angle;
import com.google.common.geometry.S2Cap;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Region;
import com.google.common.geometry.S2RegionIntersection;
import java.util.List;
import java.util.Optional;

/** Shape of a region: a predicate on locations, and its cells on the sphere. */
sealed interface Shape {
  /** More than the error of any computed distance: a few millimetres on earth. */
  double MARGIN = 1e-9;

  boolean holds(Location place);

  /** Returns the cells of everything in the shape; empty if it is not on the sphere. */
  default Optional<List<CellRange>> cells() {
    return Optional.empty();
  }

  private static S2Region capAround(Geometry center, double radians) {
    S2Point axis = center.pieces().getFirst().start();
    return S2Cap.fromAxisAngle(axis, S1Angle.radians(Math.min(Math.PI, radians + MARGIN)));
  }

  /** Inside a geometry. */
  record Within(Geometry area) implements Shape {
    @Override
    public boolean holds(Location place) {
      return place.geometry().isPresent() && area.contains(place.geometry().get());
    }

    @Override
    public Optional<List<CellRange>> cells() {
      return Optional.of(Cells.ranges(area.region()));
    }
  }

  /** Intersects a geometry. */
  record Touching(Geometry geometry) implements Shape {
    @Override
    public boolean holds(Location place) {
      return place.geometry().isPresent() && geometry.intersects(place.geometry().get());
    }

    @Override
    public Optional<List<CellRange>> cells() {
      return Optional.of(Cells.ranges(geometry.region()));
    }
  }

  /** All vertices are within a distance of a point of the sphere. */
  record Cap(Geometry center, double radians) implements Shape {
    @Override
    public boolean holds(Location place) {
      return place.geometry().isPresent()
          && place.geometry().get().pieces().stream().allMatch(this::holds);
    }

    private boolean holds(GeometryPart piece) {
      S2Point axis = center.pieces().getFirst().start();
      return piece.edges((a, b) -> axis.angle(a) <= radians && axis.angle(b) <= radians);
    }

    @Override
    public Optional<List<CellRange>> cells() {
      return Optional.of(Cells.ranges(capAround(center, radians)));
    }
  }

  /** Within a range of distances from a point of the sphere. */
  record Ring(Geometry center, double from, double to) implements Shape {
    @Override
    public boolean holds(Location place) {
      return place.geometry().map(center::radiansTo).filter(d -> d >= from && d <= to).isPresent();
    }

    @Override
    public Optional<List<CellRange>> cells() {
      S2Region outer = capAround(center, to);
      double hole = from - 2 * MARGIN;
      if (hole <= 0) {
        return Optional.of(Cells.ranges(outer));
      }
      S2Point axis = center.pieces().getFirst().start();
      S2Region inner = S2Cap.fromAxisAngle(axis, S1Angle.radians(hole)).complement();
      return Optional.of(Cells.ranges(new S2RegionIntersection(List.of(outer, inner))));
    }
  }

  /** Within a range of distances from a point of the plane. */
  record Annulus(PlanePoint center, double from, double to) implements Shape {
    @Override
    public boolean holds(Location place) {
      return place
          .point()
          .map(center::distanceTo)
          .filter(distance -> distance >= from && distance <= to)
          .isPresent();
    }
  }

  /** In a rectangle. */
  record Box(PlanePoint low, PlanePoint high) implements Shape {
    static Box of(List<Double> corners) {
      double x1 = corners.get(0);
      double y1 = corners.get(1);
      double x2 = corners.get(2);
      double y2 = corners.get(3);
      return new Box(
          new PlanePoint(Math.min(x1, x2), Math.min(y1, y2)),
          new PlanePoint(Math.max(x1, x2), Math.max(y1, y2)));
    }

    @Override
    public boolean holds(Location place) {
      return place.point().filter(this::holds).isPresent();
    }

    private boolean holds(PlanePoint point) {
      return point.x() >= low.x()
          && point.x() <= high.x()
          && point.y() >= low.y()
          && point.y() <= high.y();
    }
  }

  /** In a polygon of the plane, including its border. */
  record Polygon(List<PlanePoint> corners) implements Shape {
    @Override
    public boolean holds(Location place) {
      return place.point().filter(this::holds).isPresent();
    }

    /** A ray from the point crosses the border an odd number of times. */
    private boolean holds(PlanePoint point) {
      boolean inside = false;
      PlanePoint from = corners.getLast();
      for (PlanePoint to : corners) {
        if (isOn(point, from, to)) {
          return true;
        }
        boolean passes = (from.y() > point.y()) != (to.y() > point.y());
        if (passes && point.x() < crossing(point.y(), from, to)) {
          inside = !inside;
        }
        from = to;
      }
      return inside;
    }

    private static double crossing(double y, PlanePoint from, PlanePoint to) {
      return from.x() + (y - from.y()) * (to.x() - from.x()) / (to.y() - from.y());
    }

    private static boolean isOn(PlanePoint point, PlanePoint from, PlanePoint to) {
      double turn =
          (to.x() - from.x()) * (point.y() - from.y())
              - (to.y() - from.y()) * (point.x() - from.x());
      return turn == 0
          && point.x() >= Math.min(from.x(), to.x())
          && point.x() <= Math.max(from.x(), to.x())
          && point.y() >= Math.min(from.y(), to.y())
          && point.y() <= Math.max(from.y(), to.y());
    }
  }
}
